// How far flesh is shown at most.
#pragma once

#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// Shortens displacements u to what is shown of them. With the way e that goes beyond `led`, |u| - led, a longer one
// than `led` becomes
//
//   led + e / sqrt(1 + e^2 / L^2),
//
// which leaves small ones alone and never passes led + L. The simulation itself goes on with the unlimited ones.
// `limit`: L of each displacement, metres, or empty: nothing is shortened. `led`: metres by which hands and obstacles
// lead the flesh away from the rig, 0 where nothing does. Returns the share of the displacements that it shortened by
// more than a tenth.
double limit_displacements(std::span<const double> limit, double led, std::span<Vec3> displacement);

}  // namespace sinew
