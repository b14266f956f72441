// Limbs by name, and bones turned there.
#include "studies/mixed/limb_joints.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// Hips with a left thigh and a left arm of two bones that points aside; joints in the order of the bones, after a root.
struct Figure {
  Skeleton skeleton;
  std::vector<Bone> bones;

  Figure() {
    skeleton.joints.resize(1);
    add("mixamorig:Hips", -1, {0, 1, 0}, {0, 1.5, 0});
    add("mixamorig:LeftUpLeg", 0, {0.1, 0.9, 0}, {0.1, 0.5, 0});
    add("upper_arm.L", 0, {0.2, 1.4, 0}, {0.5, 1.4, 0});
    add("ForeArm-L", 2, {0.5, 1.4, 0}, {0.8, 1.4, 0});
  }
  void add(const char* name, int parent, const Vec3& head, const Vec3& tail) {
    Joint joint;
    joint.name = name;
    joint.parent = parent + 1;
    skeleton.joints.push_back(joint);
    Bone bone;
    bone.name = name;
    bone.joint = static_cast<int>(bones.size()) + 1;
    bone.parent = parent;
    bone.segments = {{head, tail}};
    bones.push_back(bone);
  }
  std::vector<Affine> turned(const std::vector<LimbTurn>& turns) const {
    std::vector<int> joints;
    for (const LimbTurn& turn : turns) joints.push_back(bones[static_cast<std::size_t>(turn.bone)].joint);
    return turned_bones(skeleton, bones, turns, joints);
  }
};

TEST(LimbJoints, AreFoundByTheNamesOfCommonRigs) {
  Figure figure;
  EXPECT_EQ(find_limb(figure.bones, Limb::hip), 1);
  EXPECT_EQ(find_limb(figure.bones, Limb::shoulder), 2);
  EXPECT_EQ(find_limb(figure.bones, Limb::elbow), 3);
  figure.bones[3].name = "tentacle";
  EXPECT_EQ(find_limb(figure.bones, Limb::elbow), -1);
}

TEST(LimbJoints, BendForwardAndUp) {
  const Figure figure;
  const auto tail = [&](const std::vector<LimbTurn>& turns, std::size_t bone) {
    return figure.turned(turns)[bone] * figure.bones[bone].segments[0].tail;
  };
  LimbTurn hip = bend_of(figure.bones, 1, Limb::hip), shoulder = bend_of(figure.bones, 2, Limb::shoulder),
           elbow = bend_of(figure.bones, 3, Limb::elbow);
  hip.degrees = shoulder.degrees = elbow.degrees = 90;
  EXPECT_LT(distance(tail({hip}, 1), {0.1, 0.9, 0.4}), 1e-12);
  EXPECT_LT(distance(tail({shoulder}, 2), {0.2, 1.7, 0}), 1e-12);
  EXPECT_LT(distance(tail({elbow}, 3), {0.5, 1.4, 0.3}), 1e-12);
  // The forearm comes along with the upper arm and bends from there, in whatever order turns are given.
  EXPECT_LT(distance(tail({elbow, shoulder}, 3), {0.2, 1.7, 0.3}), 1e-12);
  EXPECT_LT(distance(tail({shoulder, elbow}, 3), {0.2, 1.7, 0.3}), 1e-12);
  EXPECT_EQ(tail({shoulder, elbow}, 1), figure.bones[1].segments[0].tail);
}

TEST(LimbJoints, TwistAboutTheBone) {
  const Figure figure;
  LimbTurn twist = twist_of(figure.bones, 3);
  twist.degrees = 90;
  const Affine map = figure.turned({twist})[3];
  EXPECT_LT(distance(map * Vec3{0.8, 1.4, 0}, {0.8, 1.4, 0}), 1e-12);
  EXPECT_LT(distance(map * Vec3{0.8, 1.5, 0}, {0.8, 1.4, 0.1}), 1e-12);
}

TEST(LimbJoints, RefuseBonesWithoutADirection) {
  Figure figure;
  figure.bones[3].segments = {{{0, 0, 0}, {0, 0, 0}}};
  EXPECT_THROW(bend_of(figure.bones, 3, Limb::elbow), Error);
  figure.bones[3].segments = {{{0, 0, 0}, {0, 0, 1}}};
  EXPECT_THROW(bend_of(figure.bones, 3, Limb::elbow), Error);
}

}  // namespace
}  // namespace sinew
