// Which links of a body stop each other, so that the arms of one that falls do not go through its trunk.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/dynamics/articulated_body.h"

namespace sinew {

// Distance of two capsules in one space, metres; below 0 where they overlap.
double capsule_distance(const Capsule& a, const Capsule& b);

// Pairs of links, the lower index first, that do not hang on each other and whose capsules are apart in all of the
// poses: those that a motion leads through each other are left to it.
std::vector<std::array<int, 2>> links_that_touch(const ArticulatedBody& body, std::span<const TreePose> poses);

}  // namespace sinew
