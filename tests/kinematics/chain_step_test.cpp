#include "sinew/kinematics/chain_step.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sinew/base/index.h"
#include "tests/kinematics/random_poses.h"

namespace sinew {
namespace {

using test::RandomPoses;

Chain chain_of(const JointTree& tree, const TreePose& pose) {
  PlacedJoints placed;
  place_joints(tree, pose, placed);
  placed.rotation.pop_back();
  return {placed.place, placed.rotation};
}

Chain random_chain(RandomPoses& chance, int bones) {
  const JointTree tree = test::chain_tree(bones, 0.2);
  return chain_of(tree, chance.pose(tree));
}

Vec3 turned_end(const Chain& chain, std::span<const Vec3> turns) {
  Vec3 end = chain.place.back();
  for (std::size_t j = turns.size(); j-- > 0;)  // the last joint first: those before it carry it along
    end = chain.place[j] + rotate(axis_angle(normalized(turns[j]), norm(turns[j])), end - chain.place[j]);
  return end;
}

TEST(ChainStep, IsTheDampedPseudoInverseOfTheJacobianByDifferences) {
  RandomPoses chance;
  const Chain before = random_chain(chance, 8);
  const std::size_t joints = before.rotation.size();
  Eigen::MatrixXd jacobian(3, 3 * static_cast<Eigen::Index>(joints));
  for (std::size_t k = 0; k < 3 * joints; ++k) {
    std::vector<Vec3> turns(joints);
    turns[k / 3][k % 3] = 1e-6;
    const Vec3 forth = turned_end(before, turns);
    turns[k / 3][k % 3] = -1e-6;
    const Vec3 difference = (forth - turned_end(before, turns)) / 2e-6;
    for (int i = 0; i < 3; ++i) jacobian(i, static_cast<Eigen::Index>(k)) = difference[index(i)];
  }
  const Vec3 aim = chance.direction() * 1e-4;
  const double damping = 0.3;
  const Eigen::Matrix3d gram = jacobian * jacobian.transpose() + damping * damping * Eigen::Matrix3d::Identity();
  const Eigen::VectorXd step = jacobian.transpose() * gram.inverse() * Eigen::Vector3d(aim.x, aim.y, aim.z);
  std::vector<Vec3> turns(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    const auto at = static_cast<Eigen::Index>(3 * j);
    turns[j] = {step(at), step(at + 1), step(at + 2)};
  }
  Chain after = before;
  EXPECT_NEAR(damped_step(after, before.place.back() + aim, damping), 1e-4, 1e-12);
  EXPECT_LT(distance(after.place.back(), turned_end(before, turns)), 1e-8);
}

TEST(ChainStep, BonesStayRigidAndTheRootStays) {
  RandomPoses chance;
  Chain chain = random_chain(chance, 12);
  const Chain before = chain;
  for (int i = 0; i < 50; ++i) damped_step(chain, chance.vector(), 0.1);
  EXPECT_EQ(chain.place[0], before.place[0]);
  for (std::size_t j = 0; j + 1 < chain.place.size(); ++j)
    EXPECT_LT(distance(rotate(chain.rotation[j], {0, 0.2, 0}), chain.place[j + 1] - chain.place[j]), 1e-12);
}

TEST(ChainStep, ChainsOfTwoToFiftyBonesReachWhatIsInReach) {
  RandomPoses chance;
  for (const int bones : {2, 3, 5, 8, 20, 50})
    for (int i = 0; i < 20; ++i) {
      Chain chain = random_chain(chance, bones);
      const Vec3 target = chain.place[0] + chance.direction() * (0.2 * bones * chance.uniform(0.15, 0.95));
      EXPECT_LT(reach(chain, target, {300}), 1e-6 * 0.2 * bones) << bones << " bones";
      EXPECT_LT(distance(chain.place.back(), target), 1e-6 * 0.2 * bones);
    }
}

TEST(ChainStep, AStraightChainBendsForATargetOnItsOwnLine) {
  const JointTree tree = test::chain_tree(4, 0.25);
  Chain chain = chain_of(tree, test::straight_pose(tree));
  EXPECT_LT(reach(chain, {0, 0.5, 0}), 1e-6);
}

TEST(ChainStep, ATargetOutOfReachStretchesTheChainTowardsIt) {
  RandomPoses chance;
  for (int i = 0; i < 10; ++i) {
    Chain chain = random_chain(chance, 5);
    const Vec3 target = chain.place[0] + chance.direction() * 2.0;
    EXPECT_LT(reach(chain, target, {500}), 1.0 + 1e-3);
  }
}

}  // namespace
}  // namespace sinew
