// Time steps and equilibria by blended local linearisation (Capell 2004, section 5.2.1, algorithm 5.1). External loads
// act on the velocities with which a step begins, so that the algorithm itself is unchanged (docs/constraints.md).
#pragma once

#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_motion.h"
#include "sinew/deform/lattice/solver/blended_regions.h"
#include "sinew/deform/lattice/solver/environment_response.h"

namespace sinew {

class BlendedSteps {
 public:
  // `body` must outlive this. Throws usage_error if the body's settings do not allow this method.
  explicit BlendedSteps(const LatticeBody& body);

  // Moves `position` from the prediction of carry_along() to the end of the step, with held points on their targets and
  // no surface point inside a collider. `response` must have begun the step; the forces found are added to it. Throws
  // simulation_error if the solution is not finite.
  StepStatistics step(const RigState& rig, const LatticeMoment& moment, EnvironmentResponse& response,
                      std::span<Vec3> position) const;

  // Iterates `position` until blended solutions no longer change it.
  StepStatistics find_equilibrium(const RigState& rig, const ActiveFunctions& active, const LatticePose& pose,
                                  std::span<Vec3> position) const;

 private:
  const LatticeBody& body_;
  BlendedRegions regions_, resting_regions_;
};

}  // namespace sinew
