// Meshes as solids: their distances beside what geometry says they are.
#include "sinew/contact/solid_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/base/error.h"
#include "sinew/contact/colliders.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

// A box between two corners, its triangles outwards.
TriangleMesh solid_box(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.positions.push_back(
        {(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

void append_mesh(const TriangleMesh& more, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
  for (const Triangle& t : more.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

std::vector<Vec3> places_around(const Vec3& low, const Vec3& high, int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<Vec3> places;
  for (int k = 0; k < count; ++k)
    places.push_back({low.x + share(random) * (high.x - low.x), low.y + share(random) * (high.y - low.y),
                      low.z + share(random) * (high.z - low.z)});
  return places;
}

// Exact distance from a box with sharp edges.
Gap gap_to_sharp_box(const Vec3& low, const Vec3& high, const Vec3& x) {
  Colliders colliders;
  colliders.boxes = {{0.5 * (low + high), Mat3::identity(), 0.5 * (high - low), 0}};
  return gap_to(colliders, 0, x);
}

TEST(SolidMesh, ABoxHasTheDistancesOfABox) {
  const Vec3 low{-0.3, 0.1, 2}, high{0.2, 0.5, 2.9};
  const auto solid = solid_mesh(solid_box(low, high));
  ASSERT_TRUE(solid);
  EXPECT_EQ(solid->lost, 0);
  const double cell = solid->distance.layout().cell;
  EXPECT_LT(cell, 0.012);
  double most_near = 0, most = 0, most_turned = 0;
  for (const Vec3& x : places_around(low - Vec3{0.2, 0.2, 0.2}, high + Vec3{0.2, 0.2, 0.2}, 20000)) {
    const Gap exact = gap_to_sharp_box(low, high, x);
    const FieldValue found = distance_from(*solid, x);
    const double error = std::abs(found.value - exact.distance);
    most = std::max(most, error);
    if (std::abs(exact.distance) < 2 * cell) most_near = std::max(most_near, error);
    // More than four cells from an edge, normals are those of the faces.
    const Vec3 in = min(x - low, high - x);
    const int beyond = (in.x < 4 * cell) + (in.y < 4 * cell) + (in.z < 4 * cell);
    if (beyond == 1 && std::abs(exact.distance) < 2 * cell)
      most_turned = std::max(most_turned, norm(normalized(found.gradient) - exact.normal));
  }
  EXPECT_LT(most_near, 0.7 * cell);  // the corner of a cube of cells is cut off by half its diagonal at most
  EXPECT_LT(most, 0.05);             // sums of distances beyond the grid
  EXPECT_LT(most_turned, 0.05);
}

TEST(SolidMesh, ABallHasTheDistancesOfABall) {
  const Vec3 centre{0.4, -1, 0.2};
  const double radius = 0.25;
  const auto solid = solid_mesh(test::capsule(centre, centre + Vec3{1e-9, 0, 0}, radius, 96, 96));
  ASSERT_TRUE(solid);
  const double cell = solid->distance.layout().cell;
  double most = 0, most_turned = 0;
  for (const Vec3& x : places_around(centre - Vec3{0.3, 0.3, 0.3}, centre + Vec3{0.3, 0.3, 0.3}, 20000)) {
    const double away = distance(x, centre) - radius;
    if (std::abs(away) > 3 * cell) continue;
    const FieldValue found = distance_from(*solid, x);
    most = std::max(most, std::abs(found.value - away));
    most_turned = std::max(most_turned, norm(normalized(found.gradient) - normalized(x - centre)));
  }
  // Its facets are up to 2 % of the radius inside at the ends, where the mesh is coarse.
  EXPECT_LT(most, 0.03 * radius);
  EXPECT_LT(most_turned, 0.12);
}

TEST(SolidMesh, OverlappingPiecesAreOneSolid) {
  TriangleMesh cross = solid_box({-0.5, -0.1, -0.1}, {0.5, 0.1, 0.1});
  append_mesh(solid_box({-0.1, -0.5, -0.1}, {0.1, 0.5, 0.1}), cross);
  const auto solid = solid_mesh(cross);
  ASSERT_TRUE(solid);
  EXPECT_LT(solid->lost, 1e-12);
  // In the middle the nearest boundary is the front, though faces within the solid are as near: they are none.
  EXPECT_NEAR(distance_from(*solid, {0.0, 0.0, 0.05}).value, -0.05, 0.004);
  EXPECT_NEAR(distance_from(*solid, {0.1, 0.05, 0.0}).value, -0.05, 0.008);  // the edge of the inner corner
  EXPECT_GT(distance_from(*solid, {0.3, 0.3, 0.0}).value, 0.19);
}

// Around the z axis, closed.
TriangleMesh torus(double radius, double thickness, int around, int across) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * test::pi * i / around, b = 2 * test::pi * j / across;
      const double out = radius + thickness * std::cos(b);
      mesh.positions.push_back({out * std::cos(a), out * std::sin(a), thickness * std::sin(b)});
      const auto at = [&](int k, int l) { return k % around * across + l % across; };
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return test::outward(mesh);
}

TEST(SolidMesh, ARingIsOpenInItsMiddle) {
  const auto solid = solid_mesh(torus(1, 0.2, 96, 48));
  ASSERT_TRUE(solid);
  const double cell = solid->distance.layout().cell;
  for (const Vec3& x : places_around({-1.3, -1.3, -0.3}, {1.3, 1.3, 0.3}, 5000)) {
    const double exact = std::hypot(std::hypot(x.x, x.y) - 1, x.z) - 0.2;
    if (std::abs(exact) < 4 * cell) {
      EXPECT_NEAR(distance_from(*solid, x).value, exact, 0.25 * cell);
    }
  }
  EXPECT_NEAR(distance_from(*solid, {0, 0, 0}).value, 0.8, 0.05);  // far off, distances add up cell by cell
}

TEST(SolidMesh, SheetsAreNotSolid) {
  TriangleMesh sheet;
  sheet.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  sheet.triangles = {{0, 2, 1}, {0, 3, 2}};
  EXPECT_FALSE(solid_mesh(sheet));
  EXPECT_FALSE(solid_mesh({}));
  TriangleMesh point;
  point.positions = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  point.triangles = {{0, 1, 2}};
  EXPECT_FALSE(solid_mesh(point));
}

// A board of a millimetre in a scene of a metre is lost, which is said and not passed over.
TEST(SolidMesh, PartsThinnerThanTheGridAreCounted) {
  TriangleMesh mesh = solid_box({0, 0, 0}, {1, 1, 1});
  append_mesh(solid_box({1.2, 0.0, 0.0}, {2.2, 1.0, 0.001}), mesh);
  const auto solid = solid_mesh(mesh);
  ASSERT_TRUE(solid);
  EXPECT_GT(solid->lost, 0.2);
}

TEST(MeshCollider, IsPlacedTurnedAndSized) {
  const Vec3 low{-0.3, -0.2, -0.1}, high{0.3, 0.2, 0.1};
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, test::pi / 2));
  Colliders colliders, before;
  colliders.meshes = {mesh_collider(solid_mesh(solid_box(low, high)), {turn * 2.0, {5, 0, 0}})};
  EXPECT_NO_THROW(check_colliders(colliders));
  EXPECT_EQ(colliders.size(), 1u);
  // Its side towards +x was that towards -y, 0.2 m from the middle.
  const Gap gap = gap_to(colliders, 0, {5.5, 0.1, 0});
  EXPECT_NEAR(gap.distance, 0.1, 0.01);
  EXPECT_LT(norm(gap.normal - Vec3{1, 0, 0}), 1e-2);
  // A point of its material a second ago, turned by a right angle and shifted since.
  before.meshes = {mesh_collider(colliders.meshes[0].solid, {Mat3::identity() * 2.0, {4, 0, 0}})};
  EXPECT_TRUE(same_shapes(before, colliders));
  EXPECT_LT(norm(velocity_at(before, colliders, 0, {5, 0.6, 0}, 0.5) - Vec3{0.8, 1.2, 0}), 1e-12);
  before.meshes[0].solid = solid_mesh(solid_box(low, 2 * high));
  EXPECT_FALSE(same_shapes(before, colliders));
  colliders.meshes[0] = mesh_collider(colliders.meshes[0].solid, {Mat3::zero(), {}});
  EXPECT_THROW(check_colliders(colliders), Error);
}

}  // namespace
}  // namespace sinew
