#include "sinew/kinematics/reach_pose.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "tests/kinematics/posed_skeleton.h"

namespace sinew {
namespace {

using test::PosedSkeleton;

constexpr int hips = 1, spine = 2, hand = test::body_hands[0] + 1, upper_arm = hand - 2,
              feet[] = {test::body_feet[0] + 1, test::body_feet[1] + 1};

void take(PosedSkeleton& body, const ReachedPose& reached) { body.take(reached.joints, reached.moved); }

TEST(ReachPose, AHandGoesWhereItIsLedAndTheTrunkStays) {
  for (const double scale : {1.0, 0.01, -0.01}) {
    PosedSkeleton body(scale);
    // A mirrored body hangs upside down.
    const Vec3 target = body.place(hand) + Vec3{0.05, 0.12, 0.2} * (scale < 0 ? -1.0 : 1.0);
    const ReachedPose reached = reach_pose(body.skeleton, body.bone, body.pose(), {hand, target}, {});
    EXPECT_LT(reached.missed, 1e-6);
    EXPECT_EQ(reached.moved, Vec3{});
    const Quat spine_before = body.rotation[spine], shoulder_before = body.rotation[upper_arm];
    take(body, reached);
    EXPECT_LT(distance(body.place(hand), target), 1e-6) << scale;
    EXPECT_EQ(body.rotation[spine], spine_before);
    EXPECT_LT(dot(body.rotation[upper_arm], shoulder_before), 0.999);
  }
}

TEST(ReachPose, OneFarWayReachesAsManyShortOnesDo) {
  const PosedSkeleton standing;
  const Vec3 shoulder = standing.place(upper_arm), start = standing.place(hand);
  const double length = distance(shoulder, standing.place(hand - 1)) + distance(standing.place(hand - 1), start);
  for (int k = 0; k < 60; ++k) {
    const double turn = 2.4 * k, rise = -1 + 2 * (k + 0.5) / 60, level = std::sqrt(1 - rise * rise);
    const Vec3 target = shoulder + Vec3{level * std::cos(turn), rise, level * std::sin(turn)} * (0.8 * length);
    EXPECT_LT(reach_pose(standing.skeleton, standing.bone, standing.pose(), {hand, target}, {}).missed, 1e-3 * length)
        << k;
  }
}

TEST(ReachPose, BeyondTheArmTheTrunkHelps) {
  PosedSkeleton body;
  const Vec3 target = body.place(hand) + Vec3{0.2, 0.5, 0.6};
  const Quat spine_before = body.rotation[spine];
  take(body, reach_pose(body.skeleton, body.bone, body.pose(), {hand, target}, {}));
  EXPECT_LT(distance(body.place(hand), target), 1e-4);
  EXPECT_LT(dot(body.rotation[spine], spine_before), 0.999);
}

TEST(ReachPose, AnArmThatIsDraggedOutOfReachDoesNotTwist) {
  PosedSkeleton body;
  const Vec3 start = body.place(hand);
  Quat last;
  for (int step = 1; step <= 20; ++step) {
    const Vec3 target = start + Vec3{0.15, 0.05, 0.2} * static_cast<double>(step);
    take(body, reach_pose(body.skeleton, body.bone, body.pose(), {hand, target}, {}));
    const Quat now = body.rotation[upper_arm];
    if (step > 12) {
      EXPECT_GT(std::abs(dot(now, last)), 0.9995) << step;  // 3.6 degrees
    }
    last = now;
  }
}

TEST(ReachPose, HipsGoDownAndPinnedFeetStayOnTheGround) {
  PosedSkeleton body;
  const Vec3 left = body.place(feet[0]), right = body.place(feet[1]);
  const JointPlace pins[] = {{feet[0], left}, {feet[1], right}};
  const Mat3 flat = body.pose().world[index(feet[0])].linear;
  const Vec3 target = body.place(hips) - Vec3{0, 0.2, 0};
  for (int step = 1; step <= 10; ++step) {  // as a drag comes
    const Vec3 there = body.place(hips) + (target - body.place(hips)) * (1.0 / (11 - step));
    take(body, reach_pose(body.skeleton, body.bone, body.pose(), {hips, there}, pins));
  }
  EXPECT_LT(distance(body.place(hips), target), 1e-6);
  EXPECT_LT(distance(body.place(feet[0]), left), 1e-5);
  EXPECT_LT(distance(body.place(feet[1]), right), 1e-5);
  // They stay flat as well.
  EXPECT_LT(frobenius_norm(body.pose().world[index(feet[0])].linear - flat), 1e-3);
}

TEST(ReachPose, TheFirstBoneAloneTakesTheWholeCharacterAlong) {
  PosedSkeleton body;
  const ReachedPose reached =
      reach_pose(body.skeleton, body.bone, body.pose(), {hips, body.place(hips) + Vec3{1, 0, 0}}, {});
  EXPECT_LT(distance(reached.moved, {1, 0, 0}), 1e-9);
  EXPECT_TRUE(reached.joints.empty());
}

TEST(ReachPose, WhatIsLedHasItsPlaceBeforeWhatIsPinned) {
  PosedSkeleton body;
  const Vec3 start = body.place(hips), target = start + Vec3{0, 1, 0};  // farther than legs reach
  const JointPlace pins[] = {{feet[0], body.place(feet[0])}, {feet[1], body.place(feet[1])}};
  take(body, reach_pose(body.skeleton, body.bone, body.pose(), {hips, target}, pins));
  EXPECT_LT(distance(body.place(hips), target), 1e-5);
  // Back again the feet are where they were pinned.
  take(body, reach_pose(body.skeleton, body.bone, body.pose(), {hips, start - Vec3{0, 0.1, 0}}, pins));
  for (const JointPlace& pin : pins) EXPECT_LT(distance(body.place(pin.joint), pin.place), 1e-5);
}

TEST(ReachPose, AShoulderStaysLowWhileTheArmIsRaised) {
  // A trunk with clavicles, arms and legs.
  JointTree tree;
  const auto add = [&tree](int parent, const Vec3& offset) {
    tree.parent.push_back(parent);
    tree.offset.push_back(offset);
    return static_cast<int>(tree.size()) - 1;
  };
  const int hip = add(-1, {}), chest = add(hip, {0, 0.4, 0});
  int clavicle = 0, end = 0;
  for (const double side : {-1.0, 1.0}) {
    clavicle = add(chest, {side * 0.05, 0.1, 0});
    const int arm = add(clavicle, {side * 0.15, 0, 0});
    end = add(add(arm, {side * 0.05, -0.3, 0.02}), {0, -0.05, 0.27});  // the elbow is bent
    add(add(add(hip, {side * 0.1, -0.05, 0}), {0, -0.42, 0.02}), {0, -0.41, -0.02});
  }
  ++clavicle, ++end;  // below the node that is no bone
  PosedSkeleton body(tree);
  const Quat before = body.rotation[index(clavicle)], arm_before = body.rotation[index(clavicle) + 1];
  const Vec3 target = body.place(end) + Vec3{0, 0.25, 0.1};
  take(body, reach_pose(body.skeleton, body.bone, body.pose(), {end, target}, {}));
  EXPECT_LT(distance(body.place(end), target), 1e-5);
  const auto angle = [](const Quat& a, const Quat& b) { return 2 * std::acos(std::min(1.0, std::abs(dot(a, b)))); };
  EXPECT_LT(angle(before, body.rotation[index(clavicle)]), 0.15);
  EXPECT_GT(angle(arm_before, body.rotation[index(clavicle) + 1]), 0.4);
}

TEST(ReachPose, JointsThatAreNoBonesAreRefused) {
  const PosedSkeleton body;
  EXPECT_THROW(reach_pose(body.skeleton, body.bone, body.pose(), {0, {}}, {}), Error);
  EXPECT_THROW(reach_pose(body.skeleton, body.bone, body.pose(), {99, {}}, {}), Error);
  EXPECT_THROW(reach_pose(body.skeleton, body.bone, body.pose(), {hand, {}}, std::vector{JointPlace{-1, {}}}), Error);
}

}  // namespace
}  // namespace sinew
