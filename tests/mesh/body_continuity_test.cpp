// The body of a surface depends continuously on it: what rounding does to the surface, as in a file in another unit,
// moves no node far.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "sinew/mesh/shares_around.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

// Ten times the rounding of files, of the surface's size: near things are met ten times as often.
constexpr double roughness = 1e-6;

TriangleMesh roughened(TriangleMesh surface, double size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-roughness * size, roughness * size);
  for (Vec3& p : surface.positions) p += {uniform(generator), uniform(generator), uniform(generator)};
  return surface;
}

// A sphere with dents and bumps, smooth and of no symmetry.
TriangleMesh bumpy() {
  TriangleMesh surface = test::sphere({0, 0, 0}, 0.5, 48);
  for (Vec3& p : surface.positions)
    p = p * (1 + 0.2 * std::sin(9 * p.x + 1) * std::cos(7 * p.y) + 0.15 * std::sin(11 * p.z + 5 * p.x));
  return surface;
}

struct Differences {
  double node = 0, fill = 0;  // of the surface's size; of 1
};

Differences largest_differences(const VolumeMesh& a, const VolumeMesh& b, double size) {
  Differences most;
  EXPECT_EQ(a.mesh.tetrahedra, b.mesh.tetrahedra);
  if (a.mesh.tetrahedra != b.mesh.tetrahedra) return most;
  for (std::size_t v = 0; v < a.mesh.positions.size(); ++v)
    most.node = std::max(most.node, distance(a.mesh.positions[v], b.mesh.positions[v]) / size);
  for (std::size_t e = 0; e < a.inside_fraction.size(); ++e)
    most.fill = std::max(most.fill, std::abs(a.inside_fraction[e] - b.inside_fraction[e]));
  return most;
}

// An element is some 0.05 of the size, and a node's step a third of that, so that a step more or less would be 5e-3.
// Easing passes on no more than some tens of times what the surface was moved by. Fill is measured on lines some 0.01
// of the size apart, and an end on one of them counts in full or not at all within that.
TEST(BodyContinuity, RoundingOfTheSurfaceMovesNoNodeFar) {
  const TriangleMesh surfaces[] = {bumpy(), test::capsule({0, 0, 0}, {0.3, 0.8, 0.2}, 0.25)};
  for (const TriangleMesh& surface : surfaces)
    for (const int tetrahedra : {2000, 6000}) {
      const VolumeMesh body = mesh_volume(surface, {.target_tetrahedra = tetrahedra, .cell_size = {}});
      for (const unsigned seed : {1u, 2u}) {
        const Differences most = largest_differences(
            body, mesh_volume(roughened(surface, 1.0, seed), {.target_tetrahedra = tetrahedra, .cell_size = {}}), 1.0);
        EXPECT_LT(most.node, 100 * roughness) << tetrahedra << " tetrahedra, seed " << seed;
        EXPECT_LT(most.fill, 100 * roughness / 0.01) << tetrahedra << " tetrahedra, seed " << seed;
      }
    }
}

// Sums of shares at points, and the shares' moments, so that a change of any share shows.
std::vector<double> sampled(const TetrahedralMesh& mesh, std::span<const Vec3> points) {
  const SharesAround around = shares_around(EmbeddingSearch(mesh), points);
  std::vector<double> result(points.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (auto k = static_cast<std::size_t>(around.start[i]); k < static_cast<std::size_t>(around.start[i + 1]); ++k)
      result[i] += around.share[k] * std::sin(1.0 + around.tetrahedron[k]);
  return result;
}

TEST(SharesAround, SumToOneInsideAndToNothingFarOutside) {
  const VolumeMesh body = mesh_volume(test::sphere({0, 0, 0}, 1, 16), {.target_tetrahedra = 500, .cell_size = {}});
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  std::vector<Vec3> points(500);
  for (Vec3& p : points) p = {uniform(generator), uniform(generator), uniform(generator)};
  const SharesAround around = shares_around(EmbeddingSearch(body.mesh), points);
  ASSERT_EQ(around.start.size(), points.size() + 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(around.start[i]); k < static_cast<std::size_t>(around.start[i + 1]); ++k) {
      EXPECT_GT(around.share[k], 0);
      sum += around.share[k];
    }
    EXPECT_LT(sum, 1 + 1e-12);
    // Where neighbours are not equally high, their shares at a common face do not quite sum to 1.
    if (norm(points[i]) < 0.8) {
      EXPECT_GT(sum, 0.75);
    }
    if (norm(points[i]) > 1.35) {
      EXPECT_EQ(sum, 0);
    }
  }
}

TEST(SharesAround, DependContinuouslyOnTheMesh) {
  const VolumeMesh body = mesh_volume(test::sphere({0, 0, 0}, 1, 16), {.target_tetrahedra = 500, .cell_size = {}});
  TetrahedralMesh moved = body.mesh;
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Vec3& p : moved.positions) p += roughness * Vec3{uniform(generator), uniform(generator), uniform(generator)};
  std::vector<Vec3> points(20000);
  for (Vec3& p : points) p = {1.1 * uniform(generator), 1.1 * uniform(generator), 1.1 * uniform(generator)};
  // Points in faces, edges and corners are what rounding decides about.
  for (const Tetrahedron& t : body.mesh.tetrahedra) {
    const Vec3 &a = body.mesh.positions[static_cast<std::size_t>(t[0])],
               &b = body.mesh.positions[static_cast<std::size_t>(t[1])],
               &c = body.mesh.positions[static_cast<std::size_t>(t[2])];
    points.insert(points.end(), {a, 0.5 * (a + b), (a + b + c) / 3});
  }
  const std::vector<double> before = sampled(body.mesh, points), after = sampled(moved, points);
  double most = 0;
  for (std::size_t i = 0; i < points.size(); ++i) most = std::max(most, std::abs(before[i] - after[i]));
  // Elements are no lower than 0.05, shares fall over a tenth of that, and no more than some twenty elements meet.
  EXPECT_LT(most, 20 * 2 * roughness / (0.1 * 0.05));
}

}  // namespace
}  // namespace sinew
