// The joints of a trunk, from which limbs begin.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/skeleton.h"

namespace sinew {

// Per joint of the skeleton: whether at least two limbs begin at it or below it. `bone`: per joint, whether it is one
// of the body's bones; `first`: the first of them.
std::vector<char> trunk_joints(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, int first);

}  // namespace sinew
