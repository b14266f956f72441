// Forces of a body's patches by an elastic energy that a host gives (elastic/mixed_materials.h), in place of the law
// that goal_elasticity.h has in lanes.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/deform/flesh/goal_elasticity.h"

namespace sinew {

// As goal_forces(), with psi = law.energy of the stretch S = sym(Q^T F): the stress is Q dpsi/dS. Viscous stress is
// that of linear elasticity, damping * (rate of strain). Takes about ten times as long.
template <class Real>
double energy_forces(const GoalPose<Real>& pose, const TissueLaw& law, std::size_t begin, std::size_t end,
                     std::span<Row<Real>> force);

}  // namespace sinew
