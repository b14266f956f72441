// Static equilibrium of flesh in a lattice: (S_w + H) p = forces, with driven functions fixed.
#pragma once

#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/lattice_preconditioner.h"

namespace sinew {

// Solves for equilibrium starting from `position`; functions that are not unknowns keep their coefficients. Nonlinear
// elasticity takes Newton's method with a line search on the potential energy. `static_inverse` approximates the
// inverse of the static system. Throws simulation_error, naming `time` in seconds, if the solution is not finite.
StepStatistics find_equilibrium(LatticeEquations& equations, LatticePreconditioner& static_inverse,
                                const ActiveFunctions& active, const LatticePose& pose, double time,
                                std::span<Vec3> position);

}  // namespace sinew
