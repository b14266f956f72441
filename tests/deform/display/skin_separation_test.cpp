// Skin that lies inside other skin parts in the middle, smoothly; what is well stays to the bit.
#include "sinew/deform/display/skin_separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"
#include "tests/character/skinned_tube.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

constexpr double overlap = 0.08;

// Two balls of radius 0.5 that share a lens `overlap` thick; apart at rest.
TriangleMesh two_balls(double between) {
  TriangleMesh balls = sphere({-between / 2, 0, 0}, 0.5);
  append(balls, sphere({between / 2, 0, 0}, 0.5));
  return balls;
}

std::vector<Vec3> separated(const TriangleMesh& rest, std::vector<Vec3> positions) {
  SkinSeparation separation(rest, {});
  separation(positions);
  return positions;
}

// Largest depth of a vertex of one half of the mesh in the other half, by winding numbers and closest points.
double deepest(const TriangleMesh& mesh, std::span<const Vec3> positions) {
  const std::size_t half = positions.size() / 2, triangles = mesh.triangles.size() / 2;
  double most = 0;
  for (const bool second : {false, true}) {
    TriangleMesh other{
        {positions.begin(), positions.end()},
        {mesh.triangles.begin() + (second ? 0 : static_cast<std::ptrdiff_t>(triangles)),
         second ? mesh.triangles.begin() + static_cast<std::ptrdiff_t>(triangles) : mesh.triangles.end()}};
    const BoundingVolumeHierarchy tree(other);
    const WindingNumber winding(tree);
    for (std::size_t v = second ? half : 0; v < (second ? positions.size() : half); ++v)
      if (winding(positions[v]) > 0.5)
        most = std::max(most, std::sqrt(tree.closest_point(positions[v]).squared_distance));
  }
  return most;
}

TEST(SkinSeparation, BallsPartInTheMiddle) {
  const TriangleMesh rest = two_balls(2), pressed = two_balls(1 - overlap);
  ASSERT_GT(deepest(rest, pressed.positions), 0.9 * overlap);
  const std::vector<Vec3> parted = separated(rest, pressed.positions);
  EXPECT_LT(deepest(rest, parted), 0.002) << "of a height of 1";
  const std::size_t half = parted.size() / 2;
  Vec3 left, right;
  for (std::size_t v = 0; v < half; ++v) {
    left += parted[v] - pressed.positions[v];
    right += parted[half + v] - pressed.positions[half + v];
    // The plane in the middle bounds both; what is well away stays where it is.
    EXPECT_LT(parted[v].x, 0.005);
    EXPECT_GT(parted[half + v].x, -0.005);
    if (pressed.positions[v].x < -0.85) {
      EXPECT_LT(distance(parted[v], pressed.positions[v]), 0.1 * overlap);
    }
  }
  EXPECT_LT(left.x, 0);
  EXPECT_NEAR(left.x, -right.x, 0.05 * right.x) << "both give way alike";
}

TEST(SkinSeparation, WhatDoesNotOverlapStaysToTheBit) {
  const TriangleMesh rest = two_balls(2), near = two_balls(1.001);
  EXPECT_EQ(separated(rest, near.positions), near.positions);
  // A ball within a ball at rest, as an eye in its head, stays there.
  TriangleMesh nested = sphere({0, 0, 0}, 0.5);
  append(nested, sphere({0.2, 0, 0}, 0.2));
  std::vector<Vec3> moved = nested.positions;
  for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += Vec3{0, 0.01 * moved[v].x, 0};
  EXPECT_EQ(separated(nested, moved), moved);
}

TEST(SkinSeparation, FixedVerticesStayAndTheOthersGiveWay) {
  const TriangleMesh rest = two_balls(2), pressed = two_balls(1 - overlap);
  const std::size_t half = rest.positions.size() / 2;
  std::vector<char> fixed(rest.positions.size(), 0);
  std::fill(fixed.begin(), fixed.begin() + static_cast<std::ptrdiff_t>(half), 1);
  SkinSeparation separation(rest, fixed);
  std::vector<Vec3> parted = pressed.positions;
  EXPECT_GT(separation(parted), 0u);
  for (std::size_t v = 0; v < half; ++v) EXPECT_EQ(parted[v], pressed.positions[v]);
  EXPECT_LT(deepest(rest, parted), 0.005);
}

// Balls that are pressed into each other: their displayed skin moves little farther than they do, and half as far in
// half a step.
TEST(SkinSeparation, FollowsAnOverlapContinuously) {
  const TriangleMesh rest = two_balls(2);
  SkinSeparation separation(rest, {});
  const auto longest_way = [&](double step) {
    double most = 0;
    std::vector<Vec3> before;
    for (double between = 1.01; between > 1 - overlap; between -= step) {
      std::vector<Vec3> x = two_balls(between).positions;
      separation(x);
      for (std::size_t v = 0; v < before.size(); ++v) most = std::max(most, distance(x[v], before[v]));
      before = std::move(x);
    }
    return most;
  };
  const double whole = longest_way(0.002), half = longest_way(0.001);
  EXPECT_LT(whole, 3 * 0.001);  // each ball goes half of a step
  EXPECT_LT(half, 0.65 * whole);
}

// Folds that implicit skinning leaves are led apart without pops: corrections change by less than the goal moves.
TEST(SkinSeparation, FollowsAFold) {
  const SimulationSurface surface = skinned_tube(SkinningKind::implicit, 48, 24);
  SkinSeparation separation(surface.rest, {});
  double longest = 0, goal = 0;
  std::vector<Vec3> before, goal_before;
  for (double degrees = 90; degrees <= 135; degrees += 1) {
    const std::vector<Vec3> skinned = posed(surface, bent_tube(degrees * pi / 180));
    std::vector<Vec3> x = skinned;
    separation(x);
    for (std::size_t v = 0; v < before.size(); ++v) {
      longest = std::max(longest, distance(x[v], before[v]));
      goal = std::max(goal, distance(skinned[v], goal_before[v]));
    }
    before = std::move(x), goal_before = skinned;
  }
  EXPECT_LT(longest, 1.1 * goal);
}

// Searches remember other poses, which makes them faster and changes nothing.
TEST(SkinSeparation, PosesBeforeDoNotChangeABit) {
  const TriangleMesh rest = two_balls(2), pressed = two_balls(1 - overlap);
  SkinSeparation separation(rest, {});
  for (const double between : {0.95, 0.9, 1.1}) {
    TriangleMesh other = two_balls(between);
    separation(other.positions);
  }
  std::vector<Vec3> x = pressed.positions;
  separation(x);
  EXPECT_EQ(x, separated(rest, pressed.positions));
}

TEST(SkinSeparation, ThreadsDoNotChangeABit) {
  const TriangleMesh rest = two_balls(2), pressed = two_balls(1 - overlap);
  std::vector<std::vector<Vec3>> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(separated(rest, pressed.positions));
  }
  set_thread_count(0);
  for (const std::vector<Vec3>& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
}  // namespace sinew
