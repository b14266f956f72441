#include "sinew/kinematics/pose_solver.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/kinematics/goal_rows.h"
#include "sinew/linalg/turns.h"
#include "tests/kinematics/random_poses.h"

namespace sinew {
namespace {

using test::RandomPoses;

TEST(GoalRows, AreTheDerivativesOfWhatIsMissing) {
  RandomPoses chance;
  JointTree tree = test::body_tree();
  for (Vec3& centre : tree.mass_centre) centre = chance.vector(0.1);
  TreePose pose = chance.pose(tree);
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  std::vector<PoseGoal> goals(3);
  goals[0] = {GoalKind::position, test::body_hands[0], chance.vector(), chance.vector()};
  goals[1].kind = GoalKind::centre_of_mass;
  goals[1].target = chance.vector();
  goals[1].axes = {1, 0, 1};
  goals[1].weight = 2;
  goals[2].kind = GoalKind::orientation;
  goals[2].joint = test::body_feet[1];
  // Where the rotation is reached, its error vector has the identity as its derivative.
  goals[2].rotation = placed.rotation[index(test::body_feet[1])];
  const GoalRows rows = goal_rows(tree, goals, placed);
  const std::size_t unknowns = 3 * tree.size() + 3;
  ASSERT_EQ(rows.value.size(), 9 * unknowns);
  for (std::size_t k = 0; k < unknowns; ++k) {
    std::vector<double> errors[2];
    for (const int sign : {0, 1}) {
      TreePose moved = pose;
      Vec3 by;
      by[k % 3] = sign ? 1e-6 : -1e-6;
      if (const std::size_t j = k / 3; j == tree.size()) {
        moved.root += by;
      } else {
        const Quat parent = tree.parent[j] < 0 ? Quat{} : placed.rotation[index(tree.parent[j])];
        moved.local[j] = rotation_exponential(rotate(conjugate(parent), by)) * moved.local[j];
      }
      PlacedJoints there;
      place_joints(tree, moved, there);
      errors[sign] = goal_rows(tree, goals, there).error;
    }
    for (std::size_t i = 0; i < rows.count(); ++i)
      EXPECT_NEAR(-(errors[1][i] - errors[0][i]) / 2e-6, rows.value[i * unknowns + k], 1e-8) << i << ' ' << k;
  }
}

PoseGoal place_goal(int joint, const Vec3& target, int priority = 0) {
  PoseGoal goal;
  goal.joint = joint;
  goal.target = target;
  goal.priority = priority;
  return goal;
}

TEST(PoseSolver, ASecondGoalLeavesTheEndStill) {
  RandomPoses chance;
  const JointTree tree = test::chain_tree(7, 0.2);
  for (int i = 0; i < 20; ++i) {
    const TreePose start = chance.pose(tree);
    const Vec3 end = start.root + chance.direction() * chance.uniform(0.3, 1.1);
    const PoseSolverOptions exact{{}, 0, 200, 1e-11};
    TreePose alone = start;
    ASSERT_LT(solve_pose(tree, std::vector{place_goal(7, end)}, exact, alone).missed[0], 1e-10);
    // A place that three bones reach from the root, and four from the end.
    Vec3 elbow = start.root + chance.direction() * 0.5;
    while (distance(elbow, end) > 0.75) elbow = start.root + chance.direction() * 0.5;
    TreePose both = alone;
    const PoseSolution solution =
        solve_pose(tree, std::vector{place_goal(7, end), place_goal(3, elbow, 1)}, exact, both);
    EXPECT_LT(solution.missed[0], 1e-9);
    EXPECT_LT(solution.missed[1], 1e-9);
  }
}

TEST(PoseSolver, GoalsOfLowerPriorityNeverMakeTheHigherWorse) {
  RandomPoses chance(3);
  const JointTree tree = test::body_tree();
  for (int i = 0; i < 20; ++i) {
    const TreePose start = chance.pose(tree);
    // Out of reach as often as not.
    const std::vector<PoseGoal> goals{place_goal(test::body_hands[0], start.root + chance.vector(1.2)),
                                      place_goal(test::body_hands[1], start.root + chance.vector(1.2), 1),
                                      place_goal(2, start.root + chance.vector(1.2), 2)};
    double before = 0, second_before = 0;
    for (std::size_t count = 1; count <= 3; ++count) {
      TreePose pose = start;
      const PoseSolution solution = solve_pose(tree, std::span(goals).first(count), {}, pose);
      const double size = 3;
      if (count > 1) {
        EXPECT_LE(solution.missed[0], std::max(before * (1 + 1e-6), 1e-6 * size));
      }
      if (count > 2) {
        EXPECT_LE(solution.missed[1], std::max(second_before * (1 + 1e-6), 1e-6 * size));
      }
      if (count == 1) before = solution.missed[0];
      if (count == 2) second_before = solution.missed[1];
    }
  }
}

TEST(PoseSolver, AnEndAndItsOrientationAreReachedTogether) {
  RandomPoses chance;
  const JointTree tree = test::chain_tree(7, 0.2);
  for (int i = 0; i < 20; ++i) {
    TreePose pose = chance.pose(tree), wanted = chance.pose(tree);
    wanted.root = pose.root;
    PlacedJoints there;
    place_joints(tree, wanted, there);  // so that both can be had
    PoseGoal turned;
    turned.kind = GoalKind::orientation;
    turned.joint = 7;
    turned.rotation = there.rotation[7];
    const PoseSolution solution = solve_pose(tree, std::vector{place_goal(7, there.place[7]), turned}, {}, pose);
    EXPECT_LT(solution.missed[0], 1e-6);
    EXPECT_LT(solution.missed[1], 1e-6);
  }
}

TEST(PoseSolver, AHandReachesWhileTheFeetStandAndTheMassesStayOverThem) {
  const JointTree tree = test::body_tree();
  TreePose pose = test::straight_pose(tree);
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  const Vec3 left = placed.place[index(test::body_feet[0])], right = placed.place[index(test::body_feet[1])];
  PoseGoal balance;
  balance.kind = GoalKind::centre_of_mass;
  balance.axes = {1, 0, 1};
  balance.target = (left + right) / 2;
  balance.priority = 1;
  const Vec3 floor_ahead = (left + right) / 2 + Vec3{0.2, 0.15, 0.45};
  const std::vector<PoseGoal> goals{place_goal(test::body_feet[0], left), place_goal(test::body_feet[1], right),
                                    balance, place_goal(test::body_hands[0], floor_ahead, 2)};
  const PoseSolution solution = solve_pose(tree, goals, {{}, 1}, pose);
  for (const double missed : solution.missed) EXPECT_LT(missed, 1e-5);
  place_joints(tree, pose, placed);
  EXPECT_LT(placed.place[0].y, -0.02);  // it had to bend its knees or its back
  EXPECT_NEAR(centre_of_mass(tree, placed).x, balance.target.x, 1e-5);
}

TEST(PoseSolver, WhatMovesLessWillinglyMovesLess) {
  RandomPoses chance;
  const JointTree tree = test::chain_tree(6, 0.2);
  for (int i = 0; i < 10; ++i) {
    const TreePose start = chance.pose(tree);
    PlacedJoints placed;
    place_joints(tree, start, placed);
    const std::vector<PoseGoal> goals{place_goal(6, placed.place[6] + chance.direction() * 0.02)};
    TreePose alike = start, stiff = start, fixed = start;
    EXPECT_LT(solve_pose(tree, goals, {}, alike).missed[0], 1e-6);
    EXPECT_LT(solve_pose(tree, goals, {{0.1, 0.1, 1, 1, 1, 1, 1}}, stiff).missed[0], 1e-6);
    EXPECT_LT(solve_pose(tree, goals, {{0, 0, 1, 1, 1, 1, 1}}, fixed).missed[0], 1e-6);
    const auto turned = [&](const TreePose& pose) { return turned_angle(conjugate(start.local[0]) * pose.local[0]); };
    EXPECT_LT(turned(stiff), 0.2 * turned(alike));
    EXPECT_EQ(fixed.local[0], start.local[0]);
  }
}

JointLimits hinge(double least, double most) {
  JointLimits limits;
  limits.twist = limits.about_second = {0, 0};
  limits.about_hinge = {least, most};
  return limits;
}

TEST(PoseSolver, LimitsHoldAndTheOtherJointsDoWhatALimitForbids) {
  RandomPoses chance;
  JointTree tree = test::chain_tree(6, 0.2);
  tree.limits.resize(tree.size());
  for (std::size_t j = 1; j < tree.size(); ++j) tree.limits[j] = hinge(-0.2, 1.2);
  for (int i = 0; i < 30; ++i) {
    // A pose within the limits says that its end can be reached.
    TreePose wanted = test::straight_pose(tree), pose = wanted;
    wanted.local[0] = chance.rotation();
    for (std::size_t j = 1; j < tree.size(); ++j) wanted.local[j] = axis_angle({1, 0, 0}, chance.uniform(-0.15, 1.1));
    PlacedJoints there;
    place_joints(tree, wanted, there);
    const PoseSolution solution = solve_pose(tree, std::vector{place_goal(6, there.place[6])}, {}, pose);
    EXPECT_LT(solution.missed[0], 1e-6);
    for (std::size_t j = 1; j < tree.size(); ++j) EXPECT_LT(beyond_limits(*tree.limits[j], pose.local[j]), 1e-9);
  }
}

TEST(PoseSolver, TheSameGoalsGiveTheSameBits) {
  RandomPoses chance;
  const JointTree tree = test::body_tree();
  const TreePose start = chance.pose(tree);
  const std::vector<PoseGoal> goals{place_goal(5, chance.vector()), place_goal(11, chance.vector(), 1)};
  TreePose first = start, second = start;
  solve_pose(tree, goals, {}, first);
  solve_pose(tree, goals, {}, second);
  EXPECT_EQ(first.local, second.local);
}

TEST(PoseSolver, WrongTreesAndGoalsAreRefusedInASentence) {
  JointTree tree = test::chain_tree(2, 1);
  TreePose pose = test::straight_pose(tree);
  EXPECT_THROW(solve_pose(tree, std::vector{place_goal(3, {})}, {}, pose), Error);
  pose.local.pop_back();
  EXPECT_THROW(solve_pose(tree, std::vector{place_goal(2, {})}, {}, pose), Error);
  tree.parent = {-1, 2, 1};
  EXPECT_THROW(check_tree(tree), Error);
}

}  // namespace
}  // namespace sinew
