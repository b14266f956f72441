// What moves the points of an elastic body over time: vertices of tetrahedra, or functions of a lattice's basis. Their
// displacements from where the rig alone carries them become those of the surface in flesh_deformer.h.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sinew/deform/deformer.h"
#include "sinew/linalg/small.h"

namespace sinew {

// How a body carries the surface: from what its motion answers in to where the surface is.
class SurfaceCarrier {
 public:
  virtual ~SurfaceCarrier() = default;

  virtual std::size_t points() const = 0;  // that a motion answers for
  virtual std::size_t surface_vertices() const = 0;

  // World displacement of each surface vertex from the rig's own surface, metres. `local`, per point, is what
  // local_displacements() gave or what lies between two steps. `bones`: rest space to world, metres.
  virtual void displace(std::span<const Affine> bones, std::span<const Vec3> local, std::span<Vec3> surface) = 0;
};

class BodyMotion {
 public:
  virtual ~BodyMotion() = default;

  // What acts in the steps that follow, until it is set anew; nothing at first. No part of a snapshot, and none of the
  // equilibrium of reset(): the first step meets it. Throws usage_error for what the body cannot obey.
  virtual void set_environment(const Environment& environment) = 0;

  // How far belts and grabs were from where they should be as the last step ended, in the order of the environment.
  virtual std::span<const HeldMisfit> misfits() const { return {}; }

  // Static equilibrium at `rig`, moving along with it at `next` - `rig` over one step, the shortest.
  virtual void reset(const RigState& rig, const RigState& next) = 0;

  // Where the rig alone has it, at rest: a state to load() another one into.
  virtual void follow(const RigState& rig) = 0;

  // One internal step, to `rig`.
  virtual void advance(const RigState& rig) = 0;

  // In place of a step: as Deformer has it.
  virtual void carry(const RigCut& cut) = 0;

  // Per point of the body: R_i^T (p_i - g_i), metres, in the point's own frame (docs/flesh.md).
  virtual std::span<const Vec3> local_displacements() const = 0;

  // Of the state as it is, with the rig as it was at the last step.
  virtual BodyMeasures measure(const RigState& rig) const = 0;

  virtual double step() const = 0;  // seconds
  // As Deformer has them; empty: steps are of one length.
  virtual std::span<const double> steps() const { return {}; }
  virtual std::size_t chosen_step() const { return 0; }
  virtual void choose_step(std::size_t choice, const RigState& earlier) { (void)choice, (void)earlier; }

  virtual const StepStatistics& statistics() const = 0;

  virtual void save(Snapshot& snapshot) const = 0;
  // `rig`: as it was when the state was saved.
  virtual void load(const Snapshot& snapshot, const RigState& rig) = 0;
  // The state that was loaded is of a body with other materials: what it knows of forces is found anew.
  virtual void find_forces() {}
};

}  // namespace sinew
