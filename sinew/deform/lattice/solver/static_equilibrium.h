// Where flesh in a lattice hangs at rest: (S_w + H) p = forces, with what the skeleton drives in place.
#pragma once

#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"
#include "sinew/deform/lattice/solver/lattice_preconditioner.h"

namespace sinew {

// From `position`, which what is not solved for keeps; Newton's method where elasticity is not linear, along which the
// potential energy falls. `static_inverse` approximates that of the static system. Throws simulation_error at `time`,
// seconds, where the solution is not finite.
StepStatistics find_equilibrium(LatticeEquations& equations, LatticePreconditioner& static_inverse,
                                const ActiveFunctions& active, const LatticePose& pose, double time,
                                std::span<Vec3> position);

}  // namespace sinew
