#include "sinew/rig/linear_blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sinew/base/error.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

TEST(LinearBlend, OneBoneIsItsAffineMap) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3{uniform(generator), uniform(generator), uniform(generator)}; };
  std::vector<Affine> bones(3);
  bones[2] = {to_matrix(axis_angle(normalized(vector()), 2)), vector()};
  Influences all;
  all.count = 1;
  all.joint[0] = 2;
  all.weight[0] = 1;
  std::vector<Vec3> points(50), result(50);
  for (Vec3& p : points) p = vector();
  linear_blend(points, std::vector<Influences>(50, all), bones, result);
  for (std::size_t i = 0; i < 50; ++i) {
    // Three products and sums for each number, of which none is much larger than the bone's.
    EXPECT_LT(distance(result[i], bones[2] * points[i]), test::rounding_of(1 + norm(bones[2].translation), 6));
  }
}

TEST(LinearBlend, HalfWayBetweenTwoBonesIsTheMeanOfBoth) {
  Influences both;
  both.count = 2;
  both.joint = {0, 1};
  both.weight = {0.5, 0.5};
  const std::vector<Affine> bones{{Mat3::identity(), {2, 0, 0}},
                                  {to_matrix(axis_angle({0, 0, 1}, std::acos(-1.0))), {0, 0, 0}}};
  std::vector<Vec3> result(1);
  linear_blend(std::vector<Vec3>{{1, 1, 1}}, std::vector<Influences>{both}, bones, result);
  // The candy wrapper: radius lost. Two bones of three products and sums each, the angle's own rounding among them.
  EXPECT_LT(distance(result[0], {1, 0, 1}), test::rounding_of(2, 2 * 4));
}

TEST(LinearBlend, PointsWithoutWeightStayAndBadIndicesAreErrors) {
  const std::vector<Vec3> point{{1, 2, 3}};
  std::vector<Vec3> result(1);
  std::vector<Influences> influences(1);
  linear_blend(point, influences, {}, result);
  EXPECT_EQ(result[0], point[0]);
  influences[0].count = 1;
  influences[0].joint[0] = 4;
  influences[0].weight[0] = 1;
  const std::vector<Affine> bones(4);
  EXPECT_THROW(linear_blend(point, influences, bones, result), Error);
  influences[0].joint[0] = 0;
  influences[0].weight[0] = std::nan("");
  EXPECT_THROW(linear_blend(point, influences, bones, result), Error);
  influences[0].weight[0] = 1;
  influences[0].count = 9;
  EXPECT_THROW(linear_blend(point, influences, bones, result), Error);
}

}  // namespace
}  // namespace sinew
