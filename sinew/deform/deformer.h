// A deformer turns rig states over time into flesh over time. All of them answer in the same terms,
// the displacement of the body's points from where the rig alone carries them, so that baking, recording
// and comparing do not know which method they run. The points are vertices of a body of tetrahedra, or functions of a
// lattice's basis.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// The rig at one time.
struct RigState {
  double time = 0;               // seconds on the deformer's own, ever growing time line
  std::span<const Affine> bones; // per bone: rest space to world, metres
};

// What one step cost and left, for reports.
struct StepStatistics {
  int iterations = 0;        // of the linear solver; 0 for a direct substitution
  double residual = 0;       // relative, where iterated
  int contacts = 0;          // surface points held out of colliders
};

// What a report says about the body at one time.
struct BodyMeasures {
  double energy = 0;        // joules: elastic and kinetic, measured against the goal
  double volume_ratio = 1;  // of the body, over rest
  double min_det = 1;       // smallest det F over all elements
};

// A deformer's state between two steps, as plain numbers: checkpoints, undo, tests.
struct Snapshot {
  std::vector<double> numbers;
};

// How a body carries the surface: from what a deformer answers in to where the surface is.
class SurfaceCarrier {
 public:
  virtual ~SurfaceCarrier() = default;

  virtual std::size_t points() const = 0;            // that a deformer answers for
  virtual std::size_t surface_vertices() const = 0;

  // World displacement of each surface vertex from the rig's own surface, metres, as it is shown. `local`, per point,
  // is what local_displacements() gave or what lies between two steps; it is limited in place where the body has
  // limits. `bones`: rest space to world, metres.
  virtual void displace(std::span<const Affine> bones, std::span<Vec3> local, std::span<Vec3> surface) = 0;
};

class Deformer {
 public:
  virtual ~Deformer() = default;

  // Static equilibrium at `rig`, moving along with it at `next` - `rig` over one step.
  virtual void reset(const RigState& rig, const RigState& next) = 0;

  // One internal step, to `rig`.
  virtual void advance(const RigState& rig) = 0;

  // Per point of the body: R_i^T (p_i - g_i), metres, in the point's own frame (docs/flesh.md).
  virtual std::span<const Vec3> local_displacements() const = 0;

  // Of the state as it is, with the rig as it was at the last step.
  virtual BodyMeasures measure(const RigState& rig) const = 0;

  virtual double step() const = 0;   // seconds
  virtual const StepStatistics& statistics() const = 0;

  virtual void save(Snapshot& snapshot) const = 0;
  virtual void load(const Snapshot& snapshot) = 0;
};

}  // namespace sinew
