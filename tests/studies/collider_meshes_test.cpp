// The surfaces that pictures show for solid shapes are those that flesh touches.
#include "studies/common/collider_meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Signed volume by the divergence theorem: positive where triangles face outwards.
double enclosed_volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    const auto p = [&](std::size_t c) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(t[c])]; };
    sum += dot(p(0), cross(p(1), p(2))) / 6;
  }
  return sum;
}

TEST(ColliderMeshes, LieOnTheShapesAndFaceOutwards) {
  Colliders colliders;
  colliders.planes = {{{1, 2, 3}, {0, 3, 4}}};
  colliders.capsules = {sphere_collider({0.3, -0.2, 0.1}, 0.5), {{-1, 0, 0.2}, {0.5, 0.4, 0}, 0.25}};
  const std::vector<TriangleMesh> meshes = collider_meshes(colliders, {{0, 0, 0}, 0.7});
  ASSERT_EQ(meshes.size(), colliders.size());
  for (std::size_t c = 0; c < meshes.size(); ++c)
    for (const Vec3& p : meshes[c].positions) EXPECT_NEAR(gap_to(colliders, c, p).distance, 0, 1e-12);

  const Triangle& corner = meshes[0].triangles.front();
  const auto p = [&](std::size_t k) { return meshes[0].positions[static_cast<std::size_t>(corner[k])]; };
  EXPECT_GT(dot(cross(p(1) - p(0), p(2) - p(0)), colliders.planes[0].normal), 0);

  const double pi = std::numbers::pi;
  EXPECT_NEAR(enclosed_volume(meshes[1]), 4.0 / 3 * pi * 0.125, 0.02);
  const double length = distance(colliders.capsules[1].from, colliders.capsules[1].to), r = 0.25;
  EXPECT_NEAR(enclosed_volume(meshes[2]), pi * r * r * length + 4.0 / 3 * pi * r * r * r, 0.02);
}

}  // namespace
}  // namespace sinew
