#include "sinew/shape/smooth_on_skin.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

TEST(SmoothOnSkin, CertainValuesStayAndNoiseIsAveraged) {
  const TriangleMesh skin = test::sphere({0, 0, 0}, 1);
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 1);
  std::vector<Vec3> field;
  std::vector<double> radius;
  for (const Vec3& p : skin.positions) {
    const bool certain = p.x < 0;
    field.push_back(certain ? p : p + Vec3{noise(random), noise(random), noise(random)});
    radius.push_back(certain ? 0 : 0.3);
  }
  const std::vector<Vec3> smoothed = smoothed_on_skin(skin, field, radius);
  double before = 0, after = 0;
  for (std::size_t v = 0; v < field.size(); ++v) {
    EXPECT_TRUE(radius[v] > 0 || distance(smoothed[v], field[v]) < 1e-9);
    before += squared_norm(field[v] - skin.positions[v]);
    after += squared_norm(smoothed[v] - skin.positions[v]);
  }
  EXPECT_LT(after, 0.2 * before);
}

TEST(SmoothOnSkin, APointWithoutTrianglesStays) {
  const TriangleMesh skin{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}}, {{0, 1, 2}}};
  const std::vector<Vec3> field{{3, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 2, 3}};
  const std::vector<Vec3> smoothed = smoothed_on_skin(skin, field, std::vector<double>(4, 10.0));
  EXPECT_LT(distance(smoothed[3], field[3]), 1e-12);
  for (std::size_t v = 0; v < 3; ++v) EXPECT_NEAR(smoothed[v].x, 1, 0.05);
}

}  // namespace
}  // namespace sinew
