// How flesh moves in time, be it in tetrahedra or in a control lattice.
#pragma once

#include <limits>
#include <optional>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/small.h"

namespace sinew {

enum class GravityInRest {
  pose,  // every pose of the rig is in equilibrium as the animator made it
  bind,  // the bind pose is in equilibrium as drawn; sag is what changes from it
  off,   // the drawn shape knows no gravity; all of it sags
};

// Hands and obstacles may lead flesh so many times as far as FleshDynamics::reach: what they push has to meet them
// undisturbed.
inline constexpr double reach_when_led = 2;

struct FleshDynamics {
  double step = 1.0 / 240;       // h, seconds
  double spectral_radius = 0.8;  // of generalized_alpha(); 1 conserves energy
  Vec3 gravity{0, -9.81, 0};     // m/s^2, world
  GravityInRest gravity_in_rest = GravityInRest::pose;
  // How far inertia carries a point from where the rig has it, metres (docs/flesh.md, Reach). What the rig throws
  // farther goes on with the rig from there, so that any motion leaves a state that comes to rest about as soon as
  // after a hop.
  double reach = std::numeric_limits<double>::infinity();
  double tolerance = 1e-4;  // of iterative solves: residual relative to what the step changes
  int max_iterations = 60;
  // Of the factor: double where it solves (rig reference), half where it preconditions (elastic reference), and
  // there single where half would be too coarse for so stiff a system (preconditioner_error()).
  FactorPrecision factor_precision = FactorPrecision::double_precision;
  // Of the factor of S, by which a run begins in static equilibrium: double where it solves, single where it
  // preconditions. Empty: none is cooked, for the rig reference where gravity is held in every pose.
  std::optional<FactorPrecision> static_precision = FactorPrecision::double_precision;
};

}  // namespace sinew
