// Poses by the angles of joints: "elbow_l=90" or "elbow_l:x=90".
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sinew/character/character.h"

namespace sinew {

struct JointTurn {
  std::string joint;
  char axis = 0;                   // x, y or z of the joint; 0: the one about which the clips turn it most
  double degrees = 0;              // from the pose that is turned
  std::optional<Vec3> about = {};  // an axis instead, joint space
};

// Throws usage_error naming the text.
JointTurn joint_turn_from(const std::string& text);

// `pose` with these joints turned, in this order. Throws usage_error if a joint does not exist, or no clip turns one
// whose axis is left out.
Pose turned(const Character& character, Pose pose, std::span<const JointTurn> turns);

// A pose on the way from `a` to `b`: joints turn evenly about one axis each. `share`: 0 is `a`, 1 is `b`.
Pose pose_between(const Skeleton& skeleton, const Pose& a, const Pose& b, double share);

}  // namespace sinew
