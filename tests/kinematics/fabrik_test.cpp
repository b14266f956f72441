#include "sinew/kinematics/fabrik.h"

#include <gtest/gtest.h>

#include "sinew/base/index.h"
#include "tests/kinematics/random_poses.h"

namespace sinew {
namespace {

using test::RandomPoses;

struct PointChain {
  PointTree tree;
  std::vector<Vec3> points;
};

PointChain point_chain(int bones, double length) {
  PointChain chain;
  for (int j = 0; j <= bones; ++j) {
    chain.tree.parent.push_back(j - 1);
    chain.tree.length.push_back(length);
    chain.points.push_back({0, j * length, 0});
  }
  return chain;
}

TEST(Fabrik, ChainsOfTwoToFiftyBonesReachWhatIsInReach) {
  RandomPoses chance;
  for (const int bones : {2, 3, 5, 10, 20, 50})
    for (int i = 0; i < 20; ++i) {
      PointChain chain = point_chain(bones, 0.1);
      const Vec3 target = chance.direction() * (0.1 * bones * chance.uniform(0.1, 0.95));
      const FabrikResult result = fabrik(chain.tree, std::vector<PointGoal>{{bones, target}}, {1000}, chain.points);
      EXPECT_LT(result.missed, 1.1e-6 * 0.1 * bones) << bones << " bones";
      EXPECT_EQ(chain.points[0], Vec3{});
      for (std::size_t j = 1; j < chain.points.size(); ++j)
        EXPECT_NEAR(distance(chain.points[j], chain.points[j - 1]), 0.1, 1e-12);
    }
}

TEST(Fabrik, ATargetOnTheLineOfAStraightChainIsReached) {
  PointChain chain = point_chain(6, 0.1);
  EXPECT_LT(fabrik(chain.tree, std::vector<PointGoal>{{6, {0, 0.3, 0}}}, {}, chain.points).missed, 1e-6);
}

TEST(Fabrik, OutOfReachAChainIsStraight) {
  PointChain chain = point_chain(6, 0.1);
  const FabrikResult result = fabrik(chain.tree, std::vector<PointGoal>{{6, {3, 0, 0}}}, {}, chain.points);
  EXPECT_NEAR(result.missed, 2.4, 1e-12);
  for (std::size_t j = 0; j < chain.points.size(); ++j)
    EXPECT_LT(distance(chain.points[j], {0.1 * static_cast<double>(j), 0, 0}), 1e-12);
}

TEST(Fabrik, SeveralEndsAreReachedAndTheRestGoesAlong) {
  // A stem of four bones with three branches of four; the last branch has no goal.
  PointTree tree{{-1}, {0}};
  std::vector<Vec3> points{{}};
  const auto add = [&](int parent, const Vec3& offset) {
    tree.parent.push_back(parent);
    tree.length.push_back(norm(offset));
    points.push_back(points[index(parent)] + offset);
    return static_cast<int>(points.size()) - 1;
  };
  int stem = 0;
  for (int k = 0; k < 4; ++k) stem = add(stem, {0, 0.1, 0.01});
  int end[3];
  for (int branch = 0; branch < 3; ++branch) {
    end[branch] = stem;
    for (int k = 0; k < 4; ++k) end[branch] = add(end[branch], {0.1 * (branch - 1), 0.08, 0});
  }
  const Vec3 carried = points[index(end[2])] - points[index(stem)];
  const std::vector<PointGoal> goals{{end[0], {-0.3, 0.5, 0.2}}, {end[1], {0.1, 0.45, -0.2}}};
  EXPECT_LT(fabrik(tree, goals, {500}, points).missed, 2e-6);
  EXPECT_LT(distance(points[index(end[2])] - points[index(stem)], carried), 1e-12);
}

TEST(Fabrik, JointsOfABodyStayRigidAndBothHandsArrive) {
  RandomPoses chance;
  const JointTree tree = test::body_tree();
  for (int i = 0; i < 20; ++i) {
    TreePose pose = test::straight_pose(tree), wanted = pose;
    for (Quat& q : wanted.local)
      q = normalized(Quat{chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3), 1});
    PlacedJoints there;
    place_joints(tree, wanted, there);
    std::vector<PointGoal> goals;
    for (const int hand : test::body_hands) goals.push_back({hand, there.place[index(hand)]});
    const FabrikResult result = fabrik(tree, goals, {1000, 1e-5}, pose);
    PlacedJoints placed;
    place_joints(tree, pose, placed);
    for (const PointGoal& goal : goals) {
      EXPECT_LT(distance(placed.place[index(goal.point)], goal.target), 1e-3);
      EXPECT_LE(distance(placed.place[index(goal.point)], goal.target), result.missed + 1e-12);
    }
    EXPECT_EQ(pose.local[index(test::body_feet[0])], Quat{});  // no goal leads the legs
  }
}

TEST(Fabrik, LimitsHold) {
  RandomPoses chance;
  JointTree tree = test::chain_tree(8, 0.1);
  tree.limits.resize(tree.size());
  JointLimits limits;
  limits.twist = {-0.1, 0.1};
  limits.about_hinge = limits.about_second = {-0.6, 0.6};
  for (std::size_t j = 1; j < tree.size(); ++j) tree.limits[j] = limits;
  int reached = 0;
  for (int i = 0; i < 40; ++i) {
    TreePose pose = test::straight_pose(tree);
    TreePose wanted = pose;
    wanted.local[0] = chance.rotation();
    for (std::size_t j = 1; j < tree.size(); ++j)
      wanted.local[j] = rotation_of(limits, {0, chance.uniform(-0.4, 0.4), chance.uniform(-0.4, 0.4)});
    PlacedJoints there;
    place_joints(tree, wanted, there);
    const FabrikResult result = fabrik(tree, std::vector<PointGoal>{{8, there.place[8]}}, {500, 1e-5}, pose);
    reached += result.missed < 1e-4;
    for (std::size_t j = 1; j < tree.size(); ++j) EXPECT_LT(beyond_limits(limits, pose.local[j]), 1e-9);
  }
  EXPECT_GE(reached, 36);
}

}  // namespace
}  // namespace sinew
