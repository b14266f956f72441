// Places and rotations of a character's joints, as inverse kinematics takes and gives them.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

struct JointPlace {
  int joint = -1;  // index into Skeleton::joints
  Vec3 place;      // world, file units
};

struct JointRotation {
  int joint = -1;
  Quat rotation;  // local
};

}  // namespace sinew
