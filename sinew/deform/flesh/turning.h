// Turning of the rig that is too fast to be seen as such: at half a turn from picture to picture it may as well be the
// other way around. Flesh is carried along with it, as with a cut (docs/flesh.md, Reach).
#pragma once

#include <numbers>
#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

// Radians per second: 60 and 120 degrees in a sixtieth of a second. Flesh begins to be carried along at the first, and
// is wholly so from the second on.
inline constexpr double fast_turning = 20 * std::numbers::pi, unseen_turning = 40 * std::numbers::pi;

// Share, 0 to 1, of its motion in which flesh is carried by a frame that turns from one orientation to another within
// `seconds`.
double carried_by_turning(const Quat& before, const Quat& now, double seconds);

// True if one of the bones turns fast enough to carry flesh.
bool any_turns_fast(std::span<const Affine> before, std::span<const Affine> now, double seconds);

}  // namespace sinew
