// How far flesh is shown at most.
#pragma once

#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// Displacements as they are shown: u / sqrt(1 + |u|^2 / L^2), which leaves small ones alone and never passes L, the limit
// over 1 - ease. The simulation itself goes on with the unlimited ones. `limit`: one per displacement, metres, or empty.
// `ease`: 0 to 1, where nothing is limited.
void limit_displacements(std::span<const double> limit, double ease, std::span<Vec3> displacement);

}  // namespace sinew
