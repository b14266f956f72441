#include "sinew/kinematics/joint_limits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/linalg/turns.h"
#include "tests/kinematics/random_poses.h"

namespace sinew {
namespace {

using test::RandomPoses;

JointLimits shoulder(RandomPoses& chance) {
  JointLimits limits;
  limits.neutral = chance.rotation();
  limits.bone = chance.direction();
  limits.hinge = any_perpendicular(limits.bone);
  limits.twist = {-0.5, 0.8};
  limits.about_hinge = {-0.4, 1.2};
  limits.about_second = {-0.9, 0.3};
  return limits;
}

TEST(JointLimits, AnglesMakeTheRotationTheyWereTakenFrom) {
  RandomPoses chance;
  for (int i = 0; i < 100; ++i) {
    const JointLimits limits = shoulder(chance);
    const Quat q = chance.rotation();
    EXPECT_LT(1 - std::abs(dot(rotation_of(limits, joint_angles(limits, q)), q)), 1e-14);
  }
}

TEST(JointLimits, WhatIsWithinIsReturnedBitForBitAndTheRestComesToTheEdge) {
  RandomPoses chance;
  int inside = 0;
  for (int i = 0; i < 400; ++i) {
    const JointLimits limits = shoulder(chance);
    const JointAngles angles{chance.uniform(-1, 1), chance.uniform(-1.5, 1.5), chance.uniform(-1.5, 1.5)};
    const Quat q = rotation_of(limits, angles), limited = within_limits(limits, q);
    const double a = angles.about_hinge / (angles.about_hinge < 0 ? 0.4 : 1.2);
    const double b = angles.about_second / (angles.about_second < 0 ? 0.9 : 0.3);
    const bool fits = a * a + b * b < 1 && angles.twist > -0.5 && angles.twist < 0.8;
    inside += fits;
    EXPECT_EQ(limited == q, fits);
    EXPECT_LT(beyond_limits(limits, limited), 1e-12);
    EXPECT_EQ(within_limits(limits, limited), limited);
  }
  EXPECT_GT(inside, 20);
}

TEST(JointLimits, TheSwingComesToTheNearestPointOfItsEllipse) {
  RandomPoses chance;
  JointLimits limits;
  limits.about_hinge = {-1.2, 1.2};
  limits.about_second = {-0.2, 0.2};
  for (int i = 0; i < 100; ++i) {
    const JointAngles at{0, chance.uniform(-2, 2), chance.uniform(-1, 1)};
    const JointAngles got = joint_angles(limits, within_limits(limits, rotation_of(limits, at)));
    const double apart = std::hypot(got.about_hinge - at.about_hinge, got.about_second - at.about_second);
    for (int k = 0; k < 1000; ++k) {  // no point of the ellipse is nearer
      const double t = 2 * std::numbers::pi * k / 1000;
      EXPECT_GE(std::hypot(1.2 * std::cos(t) - at.about_hinge, 0.2 * std::sin(t) - at.about_second), apart - 1e-12);
    }
  }
}

TEST(JointLimits, AKneeIsAHinge) {
  JointLimits knee;
  knee.twist = knee.about_second = {0, 0};
  knee.about_hinge = {0, 2.5};
  RandomPoses chance;
  for (int i = 0; i < 100; ++i) {
    const JointAngles bent = joint_angles(knee, within_limits(knee, chance.rotation()));
    EXPECT_NEAR(bent.twist, 0, 1e-12);
    EXPECT_NEAR(bent.about_second, 0, 1e-12);
    EXPECT_GE(bent.about_hinge, -1e-12);
    EXPECT_LE(bent.about_hinge, 2.5 + 1e-12);
  }
  EXPECT_NEAR(joint_angles(knee, within_limits(knee, axis_angle(knee.hinge, 1))).about_hinge, 1, 1e-12);
  EXPECT_NEAR(joint_angles(knee, within_limits(knee, axis_angle(knee.hinge, -1))).about_hinge, 0, 1e-12);
  EXPECT_NEAR(joint_angles(knee, within_limits(knee, axis_angle(knee.hinge, 3))).about_hinge, 2.5, 1e-12);
}

TEST(JointLimits, ATwistGoesToTheEndThatIsNearerOnTheCircle) {
  JointLimits limits;
  limits.twist = {-0.5, 0.8};
  const auto limited = [&](double twist) {
    return joint_angles(limits, within_limits(limits, axis_angle(limits.bone, twist))).twist;
  };
  EXPECT_NEAR(limited(1), 0.8, 1e-12);
  EXPECT_NEAR(limited(-1), -0.5, 1e-12);
  EXPECT_NEAR(limited(3.1), 0.8, 1e-12);    // 2.3 from the upper end, 2.68 from the lower
  EXPECT_NEAR(limited(-2.9), -0.5, 1e-12);  // 2.58 from the upper end, 2.4 from the lower
}

}  // namespace
}  // namespace sinew
