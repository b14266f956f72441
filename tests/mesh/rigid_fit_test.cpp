// Rigid motions are found again, and what a group cannot tell is not made up.
#include "sinew/mesh/rigid_fit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

RigidGroup evenly(std::size_t count) {
  RigidGroup group;
  for (std::size_t v = 0; v < count; ++v) {
    group.vertices.push_back(static_cast<int>(v));
    group.weight.push_back(1.0 / static_cast<double>(count));
  }
  return group;
}

std::vector<Vec3> displaced(const std::vector<Vec3>& points, const Affine& motion) {
  std::vector<Vec3> result;
  for (const Vec3& x : points) result.push_back(motion * x - x);
  return result;
}

const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, 2, -1}), 0.7)), {0.3, -0.2, 5}};

TEST(RigidFit, FindsARigidMotionAgain) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 1, 1}};
  const Affine found = rigid_fit(evenly(4), points, displaced(points, motion)).map();
  for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{10, -3, 2}}) EXPECT_LT(distance(found * x, motion * x), 1e-12);
}

TEST(RigidFit, ThreePointsThatSpanAPlaneSuffice) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  const Affine found = rigid_fit(evenly(3), points, displaced(points, motion)).map();
  EXPECT_LT(distance(found * Vec3{10, -3, 2}, motion * Vec3{10, -3, 2}), 1e-12);
}

// Held by a little, points on a line turn as the line does and not about it.
TEST(RigidFit, ALineDoesNotTurnAboutItself) {
  const std::vector<Vec3> points{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
  const Affine about_z{to_matrix(axis_angle({0, 0, 1}, 0.4)), {0, 1, 0}};
  const RigidMotion found = rigid_fit(evenly(3), points, displaced(points, about_z), 1e-9);
  EXPECT_LT(frobenius_norm(found.rotation - about_z.linear), 1e-8);
}

// Of a point alone: nothing turns. Of a square of radius r held by mu, tan of the angle is r^2 sin a / (r^2 cos a + 2
// mu), where each axis of the plane has half of r^2.
TEST(RigidFit, SteadyingTakesFromTheTurn) {
  const std::vector<Vec3> point{{3, 4, 5}};
  EXPECT_EQ(rigid_fit(evenly(1), point, displaced(point, motion), 1.0).rotation, Mat3::identity());
  const std::vector<Vec3> square{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const double angle = 0.5, mu = 0.8;
  const Affine about_z{to_matrix(axis_angle({0, 0, 1}, angle)), {}};
  const Mat3 turn = rigid_fit(evenly(4), square, displaced(square, about_z), mu).rotation;
  EXPECT_NEAR(std::atan2(turn(1, 0), turn(0, 0)), std::atan2(std::sin(angle), std::cos(angle) + 2 * mu), 1e-12);
}

}  // namespace
}  // namespace sinew
