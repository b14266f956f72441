// Edits of joints by hand: what becomes of the tree, and what is refused.
#include "sinew/rigging/joint_edits.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

using namespace test;

const RigJoints leg{{"hip", "", {0, 1, 0}}, {"knee", "hip", {0, 0.5, 0}}, {"foot", "knee", {}}};

std::string parent_of(const RigJoints& joints, const std::string& name) { return joint_named(joints, name).parent; }

TEST(JointEdits, JointsAreAddedInsertedAndRemoved) {
  RigJoints joints = with_joint(leg, {"toes", "foot", {0, 0, 0.1}});
  EXPECT_EQ(joints.size(), 4u);
  joints = with_joint_above(joints, "foot", {"ankle", "", {0, 0.1, 0}});
  EXPECT_EQ(parent_of(joints, "ankle"), "knee");
  EXPECT_EQ(parent_of(joints, "foot"), "ankle");
  joints = with_joint_above(joints, "hip", {"pelvis", "", {0, 1.1, 0}});
  EXPECT_EQ(parent_of(joints, "hip"), "pelvis");
  EXPECT_EQ(parent_of(joints, "pelvis"), "");
  joints = without_joint(joints, "knee");
  EXPECT_EQ(parent_of(joints, "ankle"), "hip");
  check_joints(joints, "edited");
}

TEST(JointEdits, BonesAreLedOtherwiseWithoutACycle) {
  RigJoints joints = with_joint(leg, {"tail", "hip", {0, 1, -1}});
  EXPECT_EQ(parent_of(with_bone(joints, "foot", "tail"), "tail"), "foot");
  const RigJoints turned = with_bone(joints, "foot", "hip");
  EXPECT_EQ(parent_of(turned, "foot"), "");
  EXPECT_EQ(parent_of(turned, "hip"), "foot");
  EXPECT_EQ(parent_of(turned, "knee"), "hip");
  check_joints(turned, "edited");
  for (const PlacedJoint& parent : joints)
    for (const PlacedJoint& child : joints)
      if (parent.name != child.name) check_joints(with_bone(joints, parent.name, child.name), "edited");
}

TEST(JointEdits, AMovedJointTakesItsPartnerAlong) {
  const MirrorPlane plane{MirrorAxis::x, 0.5, 0.01};
  const RigJoints arms{{"root", "", {}}, {"arm.L", "root", {1, 0, 0}}, {"arm.R", "root", {0, 0, 0}}};
  RigJoints moved = with_moved_joint(arms, "arm.L", {1.5, 2, 3}, plane);
  EXPECT_EQ(joint_named(moved, "arm.R").position, (Vec3{-0.5, 2, 3}));
  moved = with_moved_joint(arms, "arm.L", {1.5, 2, 3});
  EXPECT_EQ(joint_named(moved, "arm.R").position, Vec3{});
  EXPECT_EQ(parent_of(with_renamed_joint(leg, "knee", "knie"), "foot"), "knie");
}

TEST(JointEdits, NamesAreFree) {
  EXPECT_EQ(free_joint_name({}), "root");
  EXPECT_EQ(free_joint_name(leg), "joint 1");
  EXPECT_EQ(free_joint_name(leg, "toes"), "toes");
  EXPECT_EQ(free_joint_name(leg, "foot"), "foot 1");
}

TEST(JointEdits, WhatIsImpossibleIsASentence) {
  const auto refused = [](const auto& edit) { return refusal(ErrorKind::usage, edit); };
  EXPECT_EQ(refused([] { joint_named(leg, "nee"); }), "There is no joint 'nee': did you mean 'knee'?");
  EXPECT_EQ(refused([] { with_joint(leg, {"foot", "hip", {}}); }), "There is a joint 'foot' already.");
  EXPECT_EQ(refused([] { with_joint(leg, {"", "hip", {}}); }), "A joint needs a name.");
  EXPECT_NE(refused([] { with_joint(leg, {"toes", "fooot", {}}); }), "");
  EXPECT_NE(refused([] { with_joint(leg, {"toes", "foot", {0, NAN, 0}}); }), "");
  EXPECT_NE(refused([] { with_moved_joint(leg, "foot", {HUGE_VAL, 0, 0}); }), "");
  EXPECT_NE(refused([] { with_bone(leg, "foot", "foot"); }), "");
  EXPECT_NE(refused([] { with_bone(leg, "foot", "hand"); }), "");
  EXPECT_NE(refused([] { with_renamed_joint(leg, "foot", "knee"); }), "");
  EXPECT_NE(refused([] { without_joint({}, "foot"); }), "");
  RigJoints many;
  for (std::size_t k = 0; k < most_placed_joints; ++k) many = with_joint(many, {free_joint_name(many), "", {}});
  EXPECT_NE(refused([&] { with_joint(many, {"one more", "", {}}); }), "");
}

}  // namespace
}  // namespace sinew
