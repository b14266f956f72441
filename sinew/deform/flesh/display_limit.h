// How far flesh is shown at most.
#pragma once

#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// Displacements as they are shown: u / sqrt(1 + |u|^2 / limit^2), which leaves small ones alone and never passes
// the limit. The simulation itself goes on with the unlimited ones. `limit`: one per displacement, metres, or empty.
void limit_displacements(std::span<const double> limit, std::span<Vec3> displacement);

}  // namespace sinew
