// Patches of skin around a point: weights of one, and along the surface alone.
#include "sinew/contact/surface_patch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// A sheet of squares of 1 cm, 41 x 41 vertices, each mapped by `place` from its two coordinates in metres.
template <class Place>
void add_sheet(TriangleMesh& mesh, const Place& place) {
  constexpr int side = 41;
  const auto first = static_cast<int>(mesh.positions.size());
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) mesh.positions.push_back(place(0.01 * i, 0.01 * j));
  for (int i = 0; i + 1 < side; ++i)
    for (int j = 0; j + 1 < side; ++j) {
      const int a = first + side * i + j, b = a + 1, c = a + side, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
}

double sum_of(const std::vector<PatchVertex>& patch) {
  double sum = 0;
  for (const PatchVertex& v : patch) sum += v.weight;
  return sum;
}

TEST(SurfacePatch, WeighsByDistanceAndArea) {
  TriangleMesh mesh;
  add_sheet(mesh, [](double u, double v) { return Vec3{u, v, 0}; });
  const Vec3 point{0.203, 0.196, 0.01};
  const double radius = 0.08;
  const SurfacePoint spot = nearest_surface_point(mesh, point);
  const std::vector<PatchVertex> patch = patch_around(mesh, spot, radius);
  EXPECT_NEAR(sum_of(patch), 1, 1e-14);
  Vec3 mean;
  double square = 0;
  for (const PatchVertex& v : patch) {
    const Vec3 from = mesh.positions[static_cast<std::size_t>(v.vertex)] - Vec3{0.203, 0.196, 0};
    EXPECT_LT(norm(from), radius);
    mean += v.weight * from;
    square += v.weight * squared_norm(from);
  }
  EXPECT_LT(norm(mean), 0.002);
  // Of (1 - r^2)^2 over a disc the mean of r^2 is a quarter; ways along edges and diagonals are up to 8 % too long.
  EXPECT_NEAR(square, 0.25 * radius * radius, 0.15 * 0.25 * radius * radius);
  EXPECT_TRUE(patch_around(mesh, spot, 0).empty());
}

// A second sheet lies 5 mm above the first; and one sheet is bent back over itself, 2 cm apart.
TEST(SurfacePatch, WhatIsNearThroughTheAirIsNotHeld) {
  TriangleMesh two;
  add_sheet(two, [](double u, double v) { return Vec3{u, v, 0}; });
  const auto first = static_cast<int>(two.positions.size());
  add_sheet(two, [](double u, double v) { return Vec3{u, v, 0.005}; });
  for (const PatchVertex& v : patch_around(two, nearest_surface_point(two, {0.2, 0.2, -0.01}), 0.1))
    EXPECT_LT(v.vertex, first);

  TriangleMesh bent;
  const double turn = 0.01 * std::numbers::pi;  // the length of the bend
  add_sheet(bent, [&](double u, double v) {
    if (u < 0.2) return Vec3{u, v, 0};
    const double angle = std::min((u - 0.2) / turn, 1.0) * std::numbers::pi, beyond = std::max(u - 0.2 - turn, 0.0);
    return Vec3{0.2 + 0.01 * std::sin(angle) - beyond, v, 0.01 - 0.01 * std::cos(angle)};
  });
  const std::vector<PatchVertex> patch = patch_around(bent, nearest_surface_point(bent, {0.1, 0.2, -0.01}), 0.08);
  EXPECT_GT(patch.size(), 100u);
  for (const PatchVertex& v : patch) EXPECT_LT(bent.positions[static_cast<std::size_t>(v.vertex)].z, 1e-9);
}

}  // namespace
}  // namespace sinew
