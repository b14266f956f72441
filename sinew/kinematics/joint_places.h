// Places and rotations of a character's joints, as inverse kinematics takes and gives them.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

struct JointPlace {
  int joint = -1;  // index into Skeleton::joints
  Vec3 place;      // world, file units
  // The point that is to be there, from the joint as it is posed, world; zero: the joint itself. Of pinned joints: the
  // end of a bone under which a foot hangs elsewhere in the skeleton.
  Vec3 arm{};
};

struct JointRotation {
  int joint = -1;
  Quat rotation;  // local
};

}  // namespace sinew
