#include "sinew/kinematics/two_bone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/linalg/turns.h"
#include "tests/kinematics/random_poses.h"

namespace sinew {
namespace {

using test::RandomPoses;

double planar_end_error(double first, double second, const PlanarLimb& pose, double x, double y) {
  return std::hypot(first * std::cos(pose.root) + second * std::cos(pose.root + pose.middle) - x,
                    first * std::sin(pose.root) + second * std::sin(pose.root + pose.middle) - y);
}

TEST(TwoBone, BothPlanarPosesEndAtTheGoalAndObeyTheLawOfCosines) {
  RandomPoses chance;
  for (int i = 0; i < 200; ++i) {
    const double first = chance.uniform(0.1, 2), second = chance.uniform(0.1, 2), angle = chance.uniform(-3, 3);
    const double reach = chance.uniform(std::abs(first - second) + 0.01, first + second - 0.01);
    const double x = reach * std::cos(angle), y = reach * std::sin(angle);
    const auto [left, right] = planar_limb(first, second, x, y);
    EXPECT_LT(planar_end_error(first, second, left, x, y), 1e-12);
    EXPECT_LT(planar_end_error(first, second, right, x, y), 1e-12);
    const double cosine = (x * x + y * y - first * first - second * second) / (2 * first * second);
    EXPECT_NEAR(std::cos(left.middle), cosine, 1e-12);
    EXPECT_GT(left.middle, 0);
    EXPECT_NEAR(right.middle, -left.middle, 1e-15);
  }
}

TEST(TwoBone, APlanarGoalOutOfReachIsApproachedStraightOrFolded) {
  const auto [left, right] = planar_limb(1, 0.5, 0, 4);
  EXPECT_NEAR(left.root, std::acos(0.0), 1e-12);
  EXPECT_EQ(left.middle, 0);
  EXPECT_EQ(right.middle, 0);
  const auto folded = planar_limb(1, 0.5, 0.1, 0);
  EXPECT_LT(planar_end_error(1, 0.5, folded[0], 0.5, 0), 1e-12);
}

struct Case {
  TwoBoneLimb limb;
  TwoBoneGoal goal;
  double first, second;
};

Case random_case(RandomPoses& chance) {
  Case c{{chance.vector(), chance.vector(), chance.vector()}, {}, 0, 0};
  c.first = distance(c.limb.root, c.limb.middle);
  c.second = distance(c.limb.middle, c.limb.end);
  const double least = std::abs(c.first - c.second), most = c.first + c.second;
  c.goal.target = c.limb.root + chance.direction() * chance.uniform(least + 0.02 * (most - least), 0.98 * most);
  c.goal.pole = chance.direction();
  return c;
}

// Sine of the angle by which the bones leave the plane that root, middle joint and `pole` span.
double out_of_plane(const Case& c, const TwoBonePose& pose) {
  const Vec3 normal = normalized(cross(c.goal.target - c.limb.root, c.goal.pole));
  return dot(normal, normalized(pose.middle_at - c.limb.root));
}

TEST(TwoBone, TheEndIsAtItsTargetAndTheBonesKeepTheirLengths) {
  RandomPoses chance;
  for (int i = 0; i < 200; ++i) {
    Case c = random_case(chance);
    for (const bool other : {false, true}) {
      c.goal.other = other;
      const TwoBonePose pose = solve_two_bones(c.limb, c.goal);
      EXPECT_LT(pose.missed, 1e-12);
      EXPECT_NEAR(distance(pose.middle_at, c.limb.root), c.first, 1e-12);
      EXPECT_NEAR(distance(pose.middle_at, pose.end_at), c.second, 1e-12);
      EXPECT_NEAR(out_of_plane(c, pose), 0, 1e-12);
      const Vec3 line = normalized(c.goal.target - c.limb.root), out = pose.middle_at - c.limb.root;
      const double towards = dot(out - line * dot(out, line), c.goal.pole);
      EXPECT_TRUE(other ? towards < 0 : towards > 0) << towards;
    }
  }
}

TEST(TwoBone, ItsTurnsTakeTheBonesThereAboutOneHinge) {
  RandomPoses chance;
  for (int i = 0; i < 200; ++i) {
    const Case c = random_case(chance);
    const TwoBonePose pose = solve_two_bones(c.limb, c.goal);
    const Vec3 first = c.limb.middle - c.limb.root, second = c.limb.end - c.limb.middle;
    EXPECT_LT(distance(c.limb.root + rotate(pose.root, first), pose.middle_at), 1e-12);
    EXPECT_LT(distance(pose.middle_at + rotate(pose.middle, second), pose.end_at), 1e-12);
    // Both turn the axis about which the limb was bent to that about which it bends now.
    const Vec3 hinge = normalized(cross(second, first));
    EXPECT_LT(distance(rotate(pose.root, hinge), rotate(pose.middle, hinge)), 1e-9);
    EXPECT_NEAR(dot(rotate(pose.root, hinge), pose.middle_at - c.limb.root), 0, 1e-9);
  }
}

TEST(TwoBone, WhatIsThereAlreadyDoesNotTurn) {
  RandomPoses chance;
  for (int i = 0; i < 50; ++i) {
    Case c = random_case(chance);
    c.goal = {c.limb.end};
    const TwoBonePose pose = solve_two_bones(c.limb, c.goal);
    EXPECT_LT(turned_angle(pose.root), 1e-7);  // where the limb is nearly straight, by the square root of rounding
    EXPECT_LT(turned_angle(pose.middle), 1e-7);
  }
}

TEST(TwoBone, AStraightLimbBendsTowardsItsPoleOrAboutItsHinge) {
  const TwoBoneLimb leg{{0, 1, 0}, {0, 0.5, 0}, {0, 0, 0}};
  TwoBoneGoal goal{{0, 0.2, 0}, {0, 0, 1}};
  EXPECT_GT(solve_two_bones(leg, goal).middle_at.z, 0.2);
  goal.pole = {};
  goal.hinge = {-1, 0, 0};
  EXPECT_GT(std::abs(solve_two_bones(leg, goal).middle_at.z), 0.2);
  EXPECT_NEAR(solve_two_bones(leg, goal).middle_at.x, 0, 1e-15);
  goal.hinge = {};
  EXPECT_LT(solve_two_bones(leg, goal).missed, 1e-12);
}

// Angle of the middle joint while the target moves out through full stretch, in steps of `step`; the largest speed of
// the angle in radians per metre.
double fastest_bend(double soft_from, double step) {
  const TwoBoneLimb limb{{}, {0.1, 0.49, 0}, {0, 0.98, 0}};
  const double length = 2 * distance({}, limb.middle);
  double fastest = 0, before = -1;
  for (double reach = 0.9 * length; reach < 1.1 * length; reach += step) {
    const TwoBonePose pose = solve_two_bones(limb, {{0, reach, 0}, {1, 0, 0}, {}, false, soft_from});
    const Vec3 first = pose.middle_at, second = pose.end_at - pose.middle_at;
    const double bend = std::atan2(norm(cross(first, second)), dot(first, second));
    if (before >= 0) fastest = std::max(fastest, std::abs(bend - before) / step);
    before = bend;
  }
  return fastest * length;
}

TEST(TwoBone, WhereATargetGoesOutOfReachASoftLimbDoesNotSnapStraight) {
  // d(bend)/d(reach) is largest where softening begins: 2 / sqrt(1 - soft_from^2) radians per length of the limb.
  const double bound = 2 / std::sqrt(1 - 0.95 * 0.95);
  EXPECT_LT(fastest_bend(0.95, 1e-5), 1.001 * bound);
  EXPECT_GT(fastest_bend(0.95, 1e-5), 0.9 * bound);
  // A hard one is as fast as its steps are fine.
  EXPECT_GT(fastest_bend(1, 1e-5), 50 * bound);
}

TEST(TwoBone, OutOfReachItIsStraightAtItsTarget) {
  RandomPoses chance;
  for (int i = 0; i < 50; ++i) {
    Case c = random_case(chance);
    const Vec3 direction = chance.direction();
    c.goal.target = c.limb.root + direction * (3 * (c.first + c.second));
    const TwoBonePose pose = solve_two_bones(c.limb, c.goal);
    EXPECT_LT(distance(pose.end_at, c.limb.root + direction * (c.first + c.second)), 1e-12);
    EXPECT_NEAR(pose.missed, 2 * (c.first + c.second), 1e-12);
  }
}

TEST(TwoBone, BonesWithoutLengthTurnNothingToNothing) {
  const TwoBonePose lower = solve_two_bones({{}, {}, {0, 1, 0}}, {{1, 0, 0}});
  EXPECT_LT(lower.missed, 1e-12);
  const TwoBonePose upper = solve_two_bones({{}, {0, 1, 0}, {0, 1, 0}}, {{1, 0, 0}});
  EXPECT_LT(upper.missed, 1e-12);
  const TwoBonePose none = solve_two_bones({}, {{1, 0, 0}});
  EXPECT_NEAR(none.missed, 1, 1e-12);
  EXPECT_TRUE(is_finite(none.end_at));
  const TwoBonePose here = solve_two_bones({{}, {0, 1, 0}, {0, 2, 0}}, {{}});
  EXPECT_NEAR(here.missed, 0, 1e-12);
}

}  // namespace
}  // namespace sinew
