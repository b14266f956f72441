#include "sinew/anatomy/bone_names.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(BoneNames, SchemesOfManyProgramsMeanTheSame) {
  for (const char* name : {"upper_arm_l", "UpperArm.L", "LeftArm", "mixamorig:LeftArm", "J_Bip_L_UpperArm", "leftarm",
                           "Bip01 L UpperArm", "front_upper_l", "FrontUpperLeg.L", "L_upperarm_jnt"}) {
    const BoneName found = bone_name(name);
    EXPECT_EQ(found.part, "upperarm") << name;
    EXPECT_EQ(found.side, 1) << name;
  }
  EXPECT_EQ(bone_name("RightUpLeg").part, "thigh");
  EXPECT_EQ(bone_name("RightUpLeg").side, -1);
  EXPECT_EQ(bone_name("J_Bip_C_Hips").part, "hips");
  EXPECT_EQ(bone_name("J_Bip_C_Hips").side, 0);
  EXPECT_EQ(bone_name("tail_03").part, "tail");
  EXPECT_EQ(bone_name("tail_03").number, 3);
  EXPECT_EQ(bone_name("Spine2").number, 2);
  EXPECT_EQ(bone_name("LeftHandThumb1").part, "handthumb");
}

TEST(BoneNames, WhatIsUnknownKeepsItsWords) {
  EXPECT_EQ(bone_name("Backpack").part, "backpack");
  EXPECT_FALSE(is_known_part("backpack"));
  EXPECT_TRUE(is_known_part("shin"));
  EXPECT_EQ(bone_name("").part, "");
  EXPECT_EQ(bone_name("12").part, "");
  EXPECT_EQ(bone_name("\xe5\xa4\xb4").part, "\xe5\xa4\xb4");
  // A name that ends in a letter of a side has none, if it is a word.
  EXPECT_EQ(bone_name("tail").side, 0);
}

}  // namespace
}  // namespace sinew
