// Rigid groups on moving flesh.
#include "sinew/deform/display/kept_shape.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

RigidGroup whole(std::size_t count) {
  RigidGroup group;
  group.vertices.resize(count);
  std::iota(group.vertices.begin(), group.vertices.end(), 0);
  group.weight.assign(count, 1.0 / static_cast<double>(count));
  return group;
}

void move_rigidly(const RigidGroup& group, const std::vector<GluedVertex>& glued, std::span<const Vec3> goal,
                  std::span<Vec3> displacement) {
  KeptShape shape;
  shape.rigid = {group};
  shape.footing = {{group, {}, 0}};
  shape.glued = glued;
  std::vector<RigidMotion> motions;
  sinew::move_rigidly(shape, goal, displacement, motions);
}

TEST(KeptShape, ARigidMotionIsLeftAsItIs) {
  const TriangleMesh ball = sphere({0.3, 1.2, -0.5}, 0.1, 12);
  const Mat3 turn = to_matrix(normalized(Quat{0.1, 0.3, -0.2, 0.9}));
  std::vector<Vec3> displacement;
  for (const Vec3& x : ball.positions) displacement.push_back(turn * x + Vec3{0.1, 0, 0.2} - x);
  const std::vector<Vec3> before = displacement;
  const RigidGroup group = whole(ball.positions.size());
  move_rigidly(group, {}, ball.positions, displacement);
  for (std::size_t v = 0; v < displacement.size(); ++v) EXPECT_LT(distance(displacement[v], before[v]), 1e-12);
}

// Skin that goes along by all of its weight keeps its place in the group's frame; by a half, it is half-way there.
TEST(KeptShape, SkinUnderAGroupGoesAlong) {
  std::vector<Vec3> goal = sphere({0.3, 1.2, -0.5}, 0.1, 12).positions;
  const std::size_t count = goal.size();
  const RigidGroup group = whole(count);
  goal.push_back({0.3, 1.1, -0.5});
  goal.push_back({0.3, 1.05, -0.5});
  const Mat3 turn = to_matrix(normalized(Quat{0.1, 0.3, -0.2, 0.9}));
  const auto motion = [&](const Vec3& x) { return turn * x + Vec3{0.1, 0, 0.2} - x; };
  std::vector<Vec3> displacement;
  for (std::size_t v = 0; v < count; ++v) displacement.push_back(motion(goal[v]));
  const Vec3 flesh{0.02, -0.01, 0.03};
  displacement.insert(displacement.end(), 2, flesh);
  const std::vector<GluedVertex> glued{{static_cast<int>(count), 0, 1.0}, {static_cast<int>(count) + 1, 0, 0.5}};
  move_rigidly(group, glued, goal, displacement);
  EXPECT_LT(distance(displacement[count], motion(goal[count])), 1e-12);
  EXPECT_LT(distance(displacement[count + 1], 0.5 * (flesh + motion(goal[count + 1]))), 1e-12);
}

// The nearest rigid motion: distances are kept, the mean goes along, and no small turn or shift comes nearer.
TEST(KeptShape, WhateverTheFleshDoesTheShapeStays) {
  const TriangleMesh ball = sphere({0.3, 1.2, -0.5}, 0.1, 12);
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 0.03);
  std::vector<Vec3> flesh(ball.positions.size());
  for (std::size_t v = 0; v < flesh.size(); ++v)
    flesh[v] = {0.5 * ball.positions[v].y + normal(random), normal(random), 0.2 + normal(random)};
  std::vector<Vec3> shown = flesh;
  const RigidGroup group = whole(flesh.size());
  move_rigidly(group, {}, ball.positions, shown);
  const auto at = [&](std::size_t v) { return ball.positions[v] + shown[v]; };
  for (std::size_t v = 1; v < shown.size(); ++v)
    EXPECT_NEAR(distance(at(v), at(v - 1)), distance(ball.positions[v], ball.positions[v - 1]), 1e-13);
  const auto misfit = [&](const Mat3& turn, const Vec3& shift) {
    double sum = 0;
    for (std::size_t v = 0; v < shown.size(); ++v)
      sum += squared_norm(turn * at(v) + shift - ball.positions[v] - flesh[v]);
    return sum;
  };
  const double least = misfit(Mat3::identity(), {});
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    for (const double small : {-1e-3, 1e-3}) {
      EXPECT_GT(misfit(Mat3::identity(), small * axis), least);
      Vec3 centre;
      for (std::size_t v = 0; v < shown.size(); ++v) centre += at(v) / static_cast<double>(shown.size());
      const Mat3 turn = to_matrix(normalized(Quat{small * axis.x, small * axis.y, small * axis.z, 1}));
      EXPECT_GT(misfit(turn, centre - turn * centre), least);
    }
}

}  // namespace
}  // namespace sinew
