// Interface of the simulation of an elastic body, whose points are vertices of tetrahedra or functions of a lattice's
// basis. flesh_deformer.h converts their displacements from the rig to those of the surface.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sinew/deform/deformer.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Carries the surface along with the points of a body.
class SurfaceCarrier {
 public:
  virtual ~SurfaceCarrier() = default;

  virtual std::size_t points() const = 0;  // number of points of the body
  virtual std::size_t surface_vertices() const = 0;

  // Computes the world displacement of each surface vertex from the rig's own surface, metres. `local`: per point,
  // local_displacements() or values interpolated between two steps. `bones`: rest space to world, metres.
  virtual void displace(std::span<const Affine> bones, std::span<const Vec3> local, std::span<Vec3> surface) = 0;
};

class BodyMotion {
 public:
  virtual ~BodyMotion() = default;

  // Sets the loads of the steps that follow, until the next call; initially none. Loads are not part of a snapshot, and
  // reset() does not apply them. Throws usage_error for loads that the body does not support.
  virtual void set_environment(const Environment& environment) = 0;

  // Errors of ring constraints and grabs at the end of the last step, in the order of the environment.
  virtual std::span<const ConstraintError> constraint_errors() const { return {}; }

  // Effects of the last step on falling balls, in the order of the environment.
  virtual std::span<const BallPush> ball_pushes() const { return {}; }

  // Puts the body in static equilibrium at `rig`, moving along with the rig to `next` within one step, the shortest.
  virtual void reset(const RigState& rig, const RigState& next) = 0;

  // Puts the body in its goal, at rest; load() may follow.
  virtual void follow(const RigState& rig) = 0;

  // Advances by one internal step, to `rig`.
  virtual void advance(const RigState& rig) = 0;

  // Replaces a step at a cut of the rig; see Deformer::carry().
  virtual void carry(const RigCut& cut) = 0;

  // R_i^T (p_i - g_i) per point, metres, in the point's own frame (docs/flesh.md).
  virtual std::span<const Vec3> local_displacements() const = 0;

  // Measures the current state. `rig`: as in the last step.
  virtual BodyMeasures measure(const RigState& rig) const = 0;

  virtual double step() const = 0;  // seconds
  // Step lengths to choose from, as in Deformer; empty: the step is fixed.
  virtual std::span<const double> steps() const { return {}; }
  virtual std::size_t chosen_step() const { return 0; }
  virtual void choose_step(std::size_t choice, const RigState& earlier) { (void)choice, (void)earlier; }

  virtual const StepStatistics& statistics() const = 0;

  virtual void save(Snapshot& snapshot) const = 0;
  // Restores a state. `rig`: as it was when the state was saved.
  virtual void load(const Snapshot& snapshot, const RigState& rig) = 0;
  // Recomputes forces after loading a state of a body with other materials.
  virtual void find_forces() {}
};

}  // namespace sinew
