// Steps and equilibria of blended local linearisation (Capell 2004, section 5.2.1, algorithm 5.1) over time. What acts
// from outside acts on the velocities with which a step begins, and the algorithm stands as it is
// (docs/constraints.md).
#pragma once

#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_motion.h"
#include "sinew/deform/lattice/solver/blended_regions.h"
#include "sinew/deform/lattice/solver/environment_response.h"

namespace sinew {

class BlendedSteps {
 public:
  // `body` must outlive this. Throws usage_error where the body is of another kind than regions can solve.
  explicit BlendedSteps(const LatticeBody& body);

  // Moves `position` from where functions were carried along to the end of the step, with held points on their targets
  // and no surface in obstacles. `response` is begun, and gets the forces that this takes. Throws simulation_error
  // where the solution is not finite.
  StepStatistics step(const RigState& rig, const LatticeMoment& moment, EnvironmentResponse& response,
                      std::span<Vec3> position) const;

  // Moves `position` to where blended solutions no longer move the body.
  StepStatistics find_equilibrium(const RigState& rig, const ActiveFunctions& active, const LatticePose& pose,
                                  std::span<Vec3> position) const;

 private:
  const LatticeBody& body_;
  BlendedRegions regions_, resting_regions_;
};

}  // namespace sinew
