// Distances from solid shapes and their gradients, beside what geometry says they are.
#include "sinew/contact/colliders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// 2 m wide, 4 m high, 6 m deep, with edges of half a metre.
Colliders rounded_box(const Mat3& axes = Mat3::identity(), const Vec3& centre = {}) {
  Colliders colliders;
  colliders.boxes = {{centre, axes, {1, 2, 3}, 0.5}};
  return colliders;
}

void expect_gap(const Colliders& colliders, const Vec3& point, double distance, const Vec3& normal) {
  SCOPED_TRACE(testing::Message() << point.x << ' ' << point.y << ' ' << point.z);
  const Gap gap = gap_to(colliders, 0, point);
  EXPECT_NEAR(gap.distance, distance, 1e-14);
  EXPECT_LT(norm(gap.normal - normal), 1e-14);
}

TEST(Colliders, ABoxHasFacesEdgesAndCorners) {
  const Colliders box = rounded_box();
  // Before faces, on them and behind them.
  expect_gap(box, {4, 1, -2}, 3, {1, 0, 0});
  expect_gap(box, {0.2, -2, 1}, 0, {0, -1, 0});
  expect_gap(box, {0.2, -0.3, -2.9}, -0.1, {0, 0, -1});
  expect_gap(box, {0.9, 0, 0}, -0.1, {1, 0, 0});
  // The axis of the edge along z is at (0.5, 1.5): points around it are as far from the edge as from it, less its
  // radius.
  expect_gap(box, {0.5 + 3, 1.5 + 4, 2}, 5 - 0.5, {0.6, 0.8, 0});
  expect_gap(box, {-0.5 - 0.3, 1.5 + 0.4, -1}, 0, {-0.6, 0.8, 0});
  expect_gap(box, {0.5 + 0.15, 1.5 + 0.2, 0}, 0.25 - 0.5, {0.6, 0.8, 0});
  // The corner's middle is at (0.5, 1.5, 2.5).
  const Vec3 out{2.0 / 7, -3.0 / 7, 6.0 / 7};
  expect_gap(box, Vec3{0.5, -1.5, 2.5} + 14 * out, 13.5, out);
  expect_gap(box, Vec3{0.5, -1.5, 2.5} + 0.25 * out, -0.25, out);
}

TEST(Colliders, ABoxMayHaveSharpEdges) {
  Colliders sharp = rounded_box();
  sharp.boxes[0].rounding = 0;
  expect_gap(sharp, {1 + 3, 2 + 4, 0}, 5, {0.6, 0.8, 0});
  expect_gap(sharp, {0, 0, 2.75}, -0.25, {0, 0, 1});
  // As far from both sides of an edge: one of them, always the same.
  expect_gap(sharp, {0.5, 1.5, 0}, -0.5, {0, 1, 0});
  expect_gap(sharp, {0, 0, 0}, -1, {1, 0, 0});
  expect_gap(sharp, {1, 2, 3}, 0, {0, 0, 1});
}

// The gradient is that of the distance, which grows by one in a metre, and a turned box has what the box has.
TEST(Colliders, GradientsOfATurnedBox) {
  const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), 1.1));
  const Vec3 centre{3, -1, 2};
  const Colliders box = rounded_box(), turned = rounded_box(turn, centre);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> along(-5, 5);
  int outside = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 point{along(random), along(random), along(random)};
    const Gap gap = gap_to(box, 0, point), there = gap_to(turned, 0, turn * point + centre);
    ASSERT_NEAR(norm(gap.normal), 1, 1e-14);
    ASSERT_NEAR(there.distance, gap.distance, 1e-14 * 10);
    ASSERT_LT(norm(there.normal - turn * gap.normal), 1e-12);
    if (gap.distance < 0) continue;
    ++outside;
    const double step = 1e-6;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3 way;
      way[axis] = step;
      const double slope = (gap_to(box, 0, point + way).distance - gap_to(box, 0, point - way).distance) / (2 * step);
      ASSERT_NEAR(slope, gap.normal[axis], 1e-6);
    }
    // The nearest point of the surface: nothing of the box is beyond its tangent plane.
    ASSERT_NEAR(gap_to(box, 0, point - gap.distance * gap.normal).distance, 0, 1e-14 * 10);
  }
  EXPECT_GT(outside, 1000);
}

TEST(Colliders, BoxesAreNumberedLast) {
  Colliders all = rounded_box();
  all.planes = {{{0, -10, 0}, {0, 1, 0}}};
  all.capsules = {sphere_collider({20, 0, 0}, 1)};
  EXPECT_EQ(all.size(), 3u);
  EXPECT_NEAR(gap_to(all, 0, {0, 5, 0}).distance, 15, 1e-14);
  EXPECT_NEAR(gap_to(all, 1, {10, 0, 0}).distance, 9, 1e-14);
  EXPECT_NEAR(gap_to(all, 2, {0, 5, 0}).distance, 3, 1e-14);
  EXPECT_FALSE(same_shapes(all, rounded_box()));
  EXPECT_TRUE(same_shapes(all, all));
  all.clear();
  EXPECT_TRUE(all.empty());
}

TEST(Colliders, WhatIsNoBoxIsRefused) {
  const double infinite = std::numeric_limits<double>::infinity(), none = std::nan("");
  const auto refused = [](const BoxCollider& box) {
    Colliders colliders;
    colliders.capsules = {sphere_collider({}, 1)};
    colliders.boxes = {box};
    try {
      check_colliders(colliders);
    } catch (const Error& error) {
      return std::string(error.what()).find("collider 1 is no box") != std::string::npos;
    }
    return false;
  };
  const Mat3 axes = Mat3::identity();
  EXPECT_FALSE(refused({{}, axes, {1, 1, 1}, 1}));
  EXPECT_TRUE(refused({{}, axes, {1, 0, 1}, 0}));
  EXPECT_TRUE(refused({{}, axes, {1, -1, 1}, 0}));
  EXPECT_TRUE(refused({{}, axes, {1, 1, infinite}, 0}));
  EXPECT_TRUE(refused({{}, axes, {1, 1, none}, 0}));
  EXPECT_TRUE(refused({{none, 0, 0}, axes, {1, 1, 1}, 0}));
  EXPECT_TRUE(refused({{}, axes, {1, 2, 3}, 1.01}));
  EXPECT_TRUE(refused({{}, axes, {1, 1, 1}, -0.1}));
  EXPECT_TRUE(refused({{}, axes, {1, 1, 1}, none}));
  EXPECT_TRUE(refused({{}, axes * 2, {1, 1, 1}, 0}));
  EXPECT_TRUE(refused({{}, Mat3::zero(), {1, 1, 1}, 0}));
  EXPECT_TRUE(refused({{}, axes * none, {1, 1, 1}, 0}));
}

}  // namespace
}  // namespace sinew
