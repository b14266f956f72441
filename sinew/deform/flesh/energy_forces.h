// Forces of a body's patches by an elastic energy that a host gives (elastic/mixed_materials.h), in place of the law
// that goal_elasticity.h has in lanes.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/deform/flesh/goal_elasticity.h"

namespace sinew {

// Does what goal_forces() does, with psi = law.energy of the stretch S = sym(Q^T F): the stress is Q dpsi/dS. The
// viscous stress is that of linear elasticity, damping * (rate of strain). It is not in lanes, and slower.
template <class Real>
double energy_forces(const GoalPose<Real>& pose, const TissueLaw& law, std::size_t begin, std::size_t end,
                     std::span<Row<Real>> force);

}  // namespace sinew
