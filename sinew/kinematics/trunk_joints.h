// The joints of a trunk, from which limbs begin.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/skeleton.h"

namespace sinew {

// Per joint of the skeleton: whether at least two limbs begin at it or below it. `bone`: per joint, whether it is one
// of the body's bones; `first`: the first of them.
std::vector<char> trunk_joints(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, int first);

// How free the joints of a tree are to turn when limbs are led (PoseSolverOptions::freedom): those of limbs all alike,
// but a short first bone, such as a clavicle, gives way only a little; joints of the trunk have the freedom given.
// `joints`: of the tree, parents first; `trunk`: as trunk_joints() gives it.
std::vector<double> limb_freedom(const Skeleton& skeleton, const Pose& pose, std::span<const int> joints,
                                 std::span<const char> trunk, double trunk_freedom);

}  // namespace sinew
