// How far flesh is shown at most.
#pragma once

#include <cmath>
#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// By what a displacement is shortened whose size is r times its limit: what is shown, r times this, never passes 1. Half of
// the limit is shown to 1.5 %, so that flesh which is well within moves as its elasticity says.
inline double shortening_beyond(double squared_r) { return 1 / std::sqrt(std::sqrt(1 + squared_r * squared_r)); }

// Displacements as they are shown: u / (1 + |u|^4 / L^4)^(1/4), which leaves small ones alone and never passes L, the limit
// over 1 - ease. The simulation itself goes on with the unlimited ones. `limit`: one per displacement, metres, or empty.
// `ease`: 0 to 1, where nothing is limited.
void limit_displacements(std::span<const double> limit, double ease, std::span<Vec3> displacement);

}  // namespace sinew
