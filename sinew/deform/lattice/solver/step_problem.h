// Input of the solvers of a step of flesh in a lattice.
#pragma once

#include "sinew/deform/lattice/solver/environment_response.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/lattice_preconditioner.h"

namespace sinew {

struct StepProblem {
  LatticeEquations& equations;     // its elasticity has been given the pose of the step's end
  LatticePreconditioner& inverse;  // approximate inverse of the step's system
  EnvironmentResponse& response;   // has begun the step
  LatticeMoment moment;
  double time = 0;  // seconds, for messages
};

}  // namespace sinew
