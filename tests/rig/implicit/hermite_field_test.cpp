#include "sinew/rig/implicit/hermite_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/mesh/field_grid.h"

namespace sinew {
namespace {

// Evenly over the unit sphere, along a spiral, around a centre.
std::vector<OrientedPoint> on_sphere(int count, const Vec3& centre, double radius) {
  std::vector<OrientedPoint> points;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count, turn = std::numbers::pi * (3 - std::sqrt(5)) * k;
    const Vec3 n{std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z};
    points.push_back({centre + radius * n, n});
  }
  return points;
}

TEST(HermiteField, IsZeroAtItsPointsAndRisesAlongTheirNormals) {
  const std::vector<OrientedPoint> points = on_sphere(50, {0.2, -1, 3}, 0.3);
  const auto field = HermiteField::through(points);
  ASSERT_TRUE(field);
  for (const OrientedPoint& p : points) {
    EXPECT_NEAR(field->at(p.place).value, 0, 1e-10);
    EXPECT_LE(norm(field->at(p.place).gradient - p.normal), 1e-8);
  }
}

TEST(HermiteField, IsNearTheDistanceFromASphere) {
  const auto field = HermiteField::through(on_sphere(60, {}, 0.5));
  ASSERT_TRUE(field);
  for (const OrientedPoint& p : on_sphere(200, {}, 1))
    for (const double r : {0.4, 0.5, 0.6}) {
      EXPECT_NEAR(field->at(r * p.place).value, r - 0.5, 0.01);
      EXPECT_GT(dot(normalized(field->at(r * p.place).gradient), p.normal), 0.99);
    }
}

TEST(HermiteField, APlaneIsExact) {
  std::vector<OrientedPoint> points;
  const Vec3 n = normalized(Vec3{1, 2, -2});
  for (const Vec3& x : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 1}, Vec3{-1, 2, 0}})
    points.push_back({x - dot(x, n) * n, n});
  const auto field = HermiteField::through(points);
  ASSERT_TRUE(field);
  for (const Vec3& x : {Vec3{3, 4, 5}, Vec3{-7, 0, 1}}) {
    EXPECT_NEAR(field->at(x).value, dot(x, n), 1e-9);
    EXPECT_LE(norm(field->at(x).gradient - n), 1e-9);
  }
}

TEST(HermiteField, ItsGradientIsThatOfDifferences) {
  const auto field = HermiteField::through(on_sphere(20, {1, 2, 3}, 0.7));
  ASSERT_TRUE(field);
  const Vec3 x{1.4, 2.3, 2.6};
  const double h = 1e-5;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vec3 step;
    step[axis] = h;
    EXPECT_NEAR(field->at(x).gradient[axis], (field->at(x + step).value - field->at(x - step).value) / (2 * h), 1e-8);
  }
}

TEST(HermiteField, PointsThatDetermineNothingHaveNone) {
  std::vector<OrientedPoint> points = on_sphere(20, {}, 1);
  EXPECT_FALSE(HermiteField::through(std::span(points).first(3)));
  points[7].place = points[3].place;
  EXPECT_FALSE(HermiteField::through(points));
  points[7].place.x = std::nan("");
  EXPECT_FALSE(HermiteField::through(points));
}

const auto everywhere = [](const Vec3&, double) { return 1.0; };

TEST(FieldGrid, IsOutsideWhereItsFieldDoesNotHold) {
  const auto field = HermiteField::through(on_sphere(60, {}, 1));
  ASSERT_TRUE(field);
  const auto upper_half = [](const Vec3& x, double) { return x.y > 0 ? 1.0 : 0.0; };
  const FieldGrid grid = grid_of(*field, {-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}, 0.1, upper_half, 0.25);
  double value = 0;
  ASSERT_TRUE(grid.value_at({0, -0.5, 0}, value));
  EXPECT_NEAR(value, 0.25, 1e-6);
  ASSERT_TRUE(grid.value_at({0, 0.5, 0}, value));
  EXPECT_LT(value, -0.3);
  EXPECT_GE(grid.inside_least().y, -0.15);
  EXPECT_GE(grid.inside_most().y, 0.9);
}

TEST(FieldGrid, HalvedCellsLeaveAQuarterOfTheErrorAndNothingIsBeyondTheBox) {
  const auto field = HermiteField::through(on_sphere(60, {}, 0.5));
  ASSERT_TRUE(field);
  const auto error = [&](double cell) {
    const FieldGrid grid = grid_of(*field, {-0.8, -0.8, -0.8}, {0.8, 0.8, 0.8}, cell, everywhere, 0);
    double most = 0;
    for (const OrientedPoint& p : on_sphere(300, {}, 1)) {
      FieldValue value;
      EXPECT_TRUE(grid.at(0.55 * p.place, value));
      most = std::max(most, std::abs(value.value - field->at(0.55 * p.place).value));
    }
    return most;
  };
  EXPECT_LT(error(0.1), 0.01);
  EXPECT_LT(error(0.05), 0.3 * error(0.1));
  const FieldGrid grid = grid_of(*field, {-1, -1, -1}, {1, 1, 1}, 0.1, everywhere, 0);
  FieldValue value;
  EXPECT_FALSE(grid.at({1.1, 0, 0}, value));
  EXPECT_FALSE(grid.at({0, std::nan(""), 0}, value));
}

}  // namespace
}  // namespace sinew
