// Settings of the time integration of flesh, in tetrahedra or in a control lattice.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class GravityInRest {
  pose,  // the rig's goal is in equilibrium with gravity in every pose
  bind,  // the bind pose is in equilibrium as drawn; flesh sags by the change of gravity relative to the bones
  off,   // the drawn shape is without gravity; flesh sags fully
};

// Multiple of FleshDynamics::reach that applies while constraints or colliders displace flesh, so that flesh meets them
// undisturbed.
inline constexpr double reach_when_driven = 2;

struct FleshDynamics {
  double step = 1.0 / 240;       // h, seconds
  double spectral_radius = 0.8;  // spectral radius at infinity of generalized_alpha(), 0 to 1; 1 conserves energy
  Vec3 gravity{0, -9.81, 0};     // m/s^2, world
  GravityInRest gravity_in_rest = GravityInRest::pose;
  bool free_body = false;  // no bone holds the body, which has no static equilibrium
  // Largest distance from the goal to which inertia carries a point, metres (docs/flesh.md, Reach). Beyond it the point
  // moves along with the rig, so that after any motion the flesh comes to rest about as soon as after a hop.
  double reach = std::numeric_limits<double>::infinity();
  double tolerance = 1e-4;  // of iterative solves: residual relative to the change in the step
  int max_iterations = 60;
  // Precision of the step's factor: double where it solves (rig reference); half where it preconditions (elastic
  // reference), or single if half is too coarse for a stiff system (preconditioner_error()).
  FactorPrecision factor_precision = FactorPrecision::double_precision;
  // Precision of the factor of S, with which a run starts in static equilibrium: double where it solves, single where
  // it preconditions. Empty: not computed; for the rig reference if gravity is held in every pose.
  std::optional<FactorPrecision> static_precision = FactorPrecision::double_precision;
  // Bones, rest space to world, in poses that the factors are made for: they have the mean of the stiffness at rest and
  // in these poses (tetrahedra/pose_stiffness.h), which saves nonlinear flesh half of its iterations. Empty where the
  // factor solves, and in lattices.
  std::vector<std::vector<Affine>> factor_poses;
  // Multiple of the stiffness in the step's factor: 1 where it solves. Tissue that stiffens, or whose goal is squeezed,
  // is stiffer than its factor; where it is more than twice as stiff, an iteration adds to the error that it corrects.
  double factor_stiffness = 1;

  // True if the factors are those of the linear step, which a solver may use as they are.
  bool exact_factor() const { return factor_poses.empty() && factor_stiffness == 1; }
};

}  // namespace sinew
