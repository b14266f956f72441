// Rays against solids whose walls are where one can compute them.
#include "sinew/mesh/surface/ray_cast.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

TEST(RayCast, EntersAndLeavesABox) {
  const TriangleMesh mesh = box({-1, -2, -3}, {1, 2, 3});
  const BoundingVolumeHierarchy tree(mesh);
  const RayHit in = cast_ray(tree, {-5, 0.3, 0.7}, {1, 0, 0}, 0, 100);
  EXPECT_DOUBLE_EQ(in.distance, 4);
  EXPECT_FALSE(in.leaves);
  const RayHit out = cast_ray(tree, {0.25, 0.3, 0.7}, {0, 0, 2}, 0, 100);
  EXPECT_DOUBLE_EQ(out.distance, (3 - 0.7) / 2);  // in lengths of the direction
  EXPECT_TRUE(out.leaves);
  EXPECT_EQ(cast_ray(tree, {-5, 0.3, 0.7}, {1, 0, 0}, 0, 3.9).triangle, -1);
  EXPECT_DOUBLE_EQ(cast_ray(tree, {-5, 0.3, 0.7}, {1, 0, 0}, 4.1, 100).distance, 6);
  EXPECT_EQ(cast_ray(tree, {-5, 2.3, 0.7}, {1, 0, 0}, 0, 100).triangle, -1);
  const TriangleMesh nothing;
  EXPECT_EQ(cast_ray(BoundingVolumeHierarchy(nothing), {}, {1, 0, 0}, 0, 1).triangle, -1);
}

// The nearest of all triangles, one by one.
TEST(RayCast, AgreesWithTryingAllTriangles) {
  const TriangleMesh mesh = sphere({0.2, -0.1, 0.4}, 0.7, 24);
  const BoundingVolumeHierarchy tree(mesh);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.2, 1.2);
  int met = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3 origin{uniform(random), uniform(random), uniform(random)};
    const Vec3 direction{uniform(random), uniform(random), uniform(random)};
    double nearest = HUGE_VAL;
    for (const Triangle& t : mesh.triangles) {
      const TriangleMesh alone{mesh.positions, {t}};
      nearest = std::min(nearest, cast_ray(BoundingVolumeHierarchy(alone), origin, direction, 0, 10).distance);
    }
    const RayHit hit = cast_ray(tree, origin, direction, 0, 10);
    EXPECT_EQ(hit.distance, nearest);
    if (hit.triangle < 0) continue;
    ++met;
    // On the triangle's plane, and within a facet's depth of the ball.
    const Triangle& t = mesh.triangles[static_cast<std::size_t>(hit.triangle)];
    const auto at = [&](int v) { return mesh.positions[static_cast<std::size_t>(v)]; };
    const Vec3 point = origin + hit.distance * direction;
    EXPECT_NEAR(dot(point - at(t[0]), normalized(cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0])))), 0, 1e-12);
    const double away = distance(origin, {0.2, -0.1, 0.4});
    if (away < 0.68 || away > 0.7) {
      EXPECT_EQ(hit.leaves, away < 0.69);
    }
  }
  EXPECT_GT(met, 100);
}

}  // namespace
}  // namespace sinew
