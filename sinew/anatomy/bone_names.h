// Names of bones, and what they say: which side, which part of a body, which link of a chain.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

struct BoneName {
  std::string part;  // lower case, of words that mean the same the first one known; without side, number, prefix
  int side = 0;      // -1: the character's right, 1: its left, 0: the name says none
  int number = 0;    // of a link of a chain; 0: the name has none
};

// Reads names of Blender, Maya, Unreal, Mixamo, VRM and others: "upper_arm_l", "LeftArm", "mixamorig:LeftArm",
// "J_Bip_L_UpperArm" and "front_upper.L" are all {"upperarm", 1, 0}: front legs are arms here.
BoneName bone_name(std::string_view name);

// Whether bone_name() names the part of its own accord, as a part of every body.
bool is_known_part(std::string_view part);

}  // namespace sinew
