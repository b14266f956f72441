#include "sinew/mesh/embedding.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

TetrahedralMesh regular() {
  TetrahedralMesh mesh;
  mesh.positions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  if (volume(mesh.positions[0], mesh.positions[1], mesh.positions[2], mesh.positions[3]) < 0)
    std::swap(mesh.tetrahedra[0][2], mesh.tetrahedra[0][3]);
  return mesh;
}

TEST(Quality, RegularTetrahedron) {
  const MeshQuality quality = measure_quality(regular());
  EXPECT_NEAR(quality.dihedral.smallest, std::acos(1.0 / 3) * 180 / pi, 1e-9);
  EXPECT_NEAR(quality.dihedral.largest, std::acos(1.0 / 3) * 180 / pi, 1e-9);
  EXPECT_NEAR(quality.total_volume, std::pow(2 * std::sqrt(2.0), 3) / (6 * std::sqrt(2.0)), 1e-12);
  EXPECT_EQ(quality.components, 1);
}

TEST(Quality, CornerOfACube) {
  TetrahedralMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tetrahedra = {{0, 1, 2, 3}};
  const MeshQuality quality = measure_quality(mesh);
  EXPECT_NEAR(quality.dihedral.largest, 90, 1e-9);
  EXPECT_NEAR(quality.dihedral.smallest, std::acos(1 / std::sqrt(3.0)) * 180 / pi, 1e-9);
}

TEST(Embedding, ReproducesPointsInsideAndJustOutside) {
  const TriangleMesh surface = sphere({0, 0, 0}, 1, 32);
  VolumeMeshingOptions options;
  options.target_tetrahedra = 2000;
  const VolumeMesh body = mesh_volume(surface, options);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1.1, 1.1);
  std::vector<Vec3> points;
  while (points.size() < 500) {
    const Vec3 p{uniform(generator), uniform(generator), uniform(generator)};
    if (norm(p) < 1.1) points.push_back(p);
  }
  const Embedding embedding = embed_points(body.mesh, points);
  const std::vector<Vec3> back = embedded_positions(embedding, body.mesh, body.mesh.positions);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_LT(distance(points[i], back[i]), 1e-10);
    if (norm(points[i]) > 0.97) continue;
    for (double w : embedding.points[i].weights) EXPECT_GE(w, -1e-9);
  }
}

TEST(Embedding, FarPointsClingToTheClosestPoint) {
  const TetrahedralMesh mesh = regular();
  const std::vector<Vec3> points{{100, 100, 100}};
  const Embedding embedding = embed_points(mesh, points);
  ASSERT_EQ(embedding.points[0].tetrahedron, 0);
  EXPECT_LT(distance(embedded_positions(embedding, mesh, mesh.positions)[0], {1, 1, 1}), 1e-12);
}

TEST(Embedding, AllowedElementsOnly) {
  TetrahedralMesh mesh = regular();
  mesh.tetrahedra.push_back(mesh.tetrahedra[0]);  // two copies of one cell
  const std::vector<Vec3> points{{0, 0, 0}, {0.1, 0, 0}, {3, 0, 0}};
  const Embedding embedding =
      embed_points(mesh, points, [](std::size_t point, int e) { return e == (point == 1 ? 1 : 0); });
  EXPECT_EQ(embedding.points[0].tetrahedron, 0);
  EXPECT_EQ(embedding.points[1].tetrahedron, 1);
  EXPECT_EQ(embedding.points[2].tetrahedron, 0);
  EXPECT_EQ(embed_points(mesh, points, [](std::size_t, int) { return false; }).points[0].tetrahedron, -1);
}

TEST(Embedding, BadInputIsRefused) {
  const std::vector<Vec3> bad{{0, std::nan(""), 0}};
  EXPECT_THROW(embed_points(regular(), bad), Error);
  EXPECT_THROW(embed_points({}, {}), Error);
}

}  // namespace
}  // namespace sinew
