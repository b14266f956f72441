// Joints as data: what is refused, and which joints the other side gets.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sinew/base/error.h"
#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {
namespace {

std::string refusal(const std::vector<PlacedJoint>& joints) {
  try {
    check_joints(joints, "hero.joints.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

std::vector<std::string> names(const std::vector<PlacedJoint>& joints) {
  std::vector<std::string> result;
  for (const PlacedJoint& joint : joints) result.push_back(joint.name);
  return result;
}

TEST(RigJoints, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusal({{"knee", "hip", {}}, {"hip", "", {}}}), "");
  EXPECT_NE(refusal({}).find("has no joints"), std::string::npos);
  EXPECT_NE(refusal({{"", "", {}}}).find("joint 0 has no name"), std::string::npos);
  EXPECT_NE(refusal({{"hip", "", {}}, {"hip", "", {}}}).find("two joints called 'hip'"), std::string::npos);
  EXPECT_NE(refusal({{"hip", "", {}}, {"knee", "hipp", {}}}).find("did you mean 'hip'?"), std::string::npos);
  EXPECT_NE(refusal({{"a", "c", {}}, {"b", "a", {}}, {"c", "b", {}}}).find("lead back to itself"), std::string::npos);
  EXPECT_NE(refusal({{"a", "a", {}}}).find("lead back to itself"), std::string::npos);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL})
    EXPECT_NE(refusal({{"hip", "", {0, bad, 0}}}).find("at no finite place"), std::string::npos);
}

TEST(RigJoints, ParentsComeFirst) {
  const std::vector<PlacedJoint> joints{{"foot", "knee", {}}, {"knee", "hip", {}}, {"hip", "", {}}, {"prop", "", {}}};
  EXPECT_EQ(parents_of(joints), (std::vector<int>{1, 2, -1, -1}));
  EXPECT_EQ(parents_first(joints), (std::vector<int>{2, 3, 1, 0}));
}

TEST(MirrorJoints, NamesOfTheOtherSide) {
  EXPECT_EQ(other_side("arm.L"), "arm.R");
  EXPECT_EQ(other_side("arm_r"), "arm_l");
  EXPECT_EQ(other_side("L_arm"), "R_arm");
  EXPECT_EQ(other_side("LeftForeArm"), "RightForeArm");
  EXPECT_EQ(other_side("mixamorig:rightHand"), "mixamorig:leftHand");
  EXPECT_EQ(other_side("hip"), std::nullopt);
  EXPECT_EQ(other_side("tail"), std::nullopt);
  EXPECT_EQ(other_side("l"), std::nullopt);
  for (const char* name : {"arm.L", "arm_r", "L_arm", "LEFT", "toe-R"}) EXPECT_EQ(other_side(*other_side(name)), name);
}

TEST(MirrorJoints, TheOtherHalfHangsWhereItBelongs) {
  const MirrorPlane plane{MirrorAxis::x, 0.5, 0.01};
  const std::vector<PlacedJoint> joints = mirrored_joints({{"hips", "", {0.505, 1, 0}},
                                                           {"thigh", "hips", {0.7, 0.9, 0.1}},
                                                           {"shin_l", "thigh", {0.8, 0.5, 0.2}},
                                                           {"ear_r", "hips", {0.4, 2, 0}},
                                                           {"ear_l", "hips", {0.65, 2, 0}}},
                                                          plane, "file");
  EXPECT_EQ(names(joints),
            (std::vector<std::string>{"hips", "thigh.L", "shin_l", "ear_r", "ear_l", "thigh.R", "shin_r"}));
  EXPECT_EQ(joints[2].parent, "thigh.L");
  EXPECT_EQ(joints[5].parent, "hips");
  EXPECT_EQ(joints[6].parent, "thigh.R");
  EXPECT_NEAR(joints[5].position.x, 0.3, 1e-15);
  EXPECT_EQ(joints[5].position.y, 0.9);
  EXPECT_EQ(joints[5].position.z, 0.1);
  // What is there already is left alone: mirroring twice is mirroring once.
  EXPECT_EQ(mirrored_joints(joints, plane, "file"), joints);
  EXPECT_EQ(names(mirrored_joints({{"hips", "", {}}, {"arm", "hips", {1, 0, 0}}}, {}, "file")),
            (std::vector<std::string>{"hips", "arm"}));
}

TEST(MirrorJoints, JointsNearThePlaneAreCentred) {
  const MirrorPlane plane{MirrorAxis::z, 0.5, 0.01};
  EXPECT_EQ(centred({1, 2, 0.52}, plane, 0.03), (Vec3{1, 2, 0.5}));
  EXPECT_EQ(centred({1, 2, 0.54}, plane, 0.03), (Vec3{1, 2, 0.54}));
  EXPECT_EQ(centred({1, 2, 0.52}, {}, 0.03), (Vec3{1, 2, 0.52}));
}

TEST(MirrorJoints, TheLeftIsTheCharacters) {
  const auto only = [](const Vec3& position, MirrorAxis axis) {
    return mirrored_joints({{"arm", "", position}}, {axis, 0, 0.01}, "file").front().name;
  };
  EXPECT_EQ(only({1, 0, 0}, MirrorAxis::x), "arm.L");  // looks along +z
  EXPECT_EQ(only({-1, 0, 0}, MirrorAxis::x), "arm.R");
  EXPECT_EQ(only({0, 0, -1}, MirrorAxis::z), "arm.L");  // looks along +x
}

}  // namespace
}  // namespace sinew
