// Which bones of a source body move which bones of a target body.
#pragma once

#include <vector>

#include "sinew/kinematics/body_bones.h"

namespace sinew {

// A bone of the target that follows one bone of the source, or lies between two of a chain of another number of links.
struct BoneLink {
  int target = -1;              // joint of the target
  int source = -1, other = -1;  // joints of the source; `other` is -1 where one alone moves it
  double share = 0;             // of `other`, 0 to 1
};

// Chains of different lengths share their rotation out: link k of m follows the place k / m along the source's chain.
// Bones that the source lacks get no link.
std::vector<BoneLink> bone_links(const BodyBones& source, const BodyBones& target);

}  // namespace sinew
