// Bodies drawn onto their surface.
#include "sinew/mesh/volume/surface_fitted_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/quality.h"
#include "tests/base/same_bits.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

SurfaceFittedMesh fitted(const TriangleMesh& surface, double cell) {
  VolumeMeshingOptions options;
  options.cell_size = cell;
  return fit_to_surface(surface, mesh_volume(surface, options));
}

double filled_volume(const SurfaceFittedMesh& body) {
  double sum = 0;
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
    const auto p = corners_of(body.mesh, e);
    sum += body.inside_fraction[e] * volume(p[0], p[1], p[2], p[3]);
  }
  return sum;
}

// What holds whatever the surface. Returns the share of boundary vertices that lie on it.
double check(const TriangleMesh& surface, const SurfaceFittedMesh& body) {
  EXPECT_GT(body.mesh.tetrahedra.size(), 0u);
  EXPECT_EQ(body.inside_fraction.size(), body.mesh.tetrahedra.size());
  const MeshQuality quality = measure_quality(body.mesh);
  EXPECT_GT(quality.smallest_volume, 0);

  // Boundary vertices come first, and are those of the faces that belong to one tetrahedron.
  std::set<int> boundary, used;
  for (const Triangle& t : boundary_surface(body.mesh).triangles) boundary.insert(t.begin(), t.end());
  for (const Tetrahedron& t : body.mesh.tetrahedra) used.insert(t.begin(), t.end());
  EXPECT_EQ(used.size(), body.mesh.positions.size());
  EXPECT_EQ(boundary.size(), body.boundary_vertices());
  if (!boundary.empty()) {
    EXPECT_EQ(*boundary.rbegin() + 1, static_cast<int>(body.boundary_vertices()));
  }

  double on_surface = 0;
  for (std::size_t v = 0; v < body.anchors.size(); ++v) {
    const SurfaceAnchor& anchor = body.anchors[v];
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(anchor.weight[k], 0);
      sum += anchor.weight[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT(distance(anchored_position(anchor, surface.positions), body.mesh.positions[v]), 1e-10 * body.cell_size);
    on_surface += anchor.on_surface();
  }
  // A tetrahedron whose outer vertices all lie on the surface is all inside.
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
    EXPECT_GE(body.inside_fraction[e], 0);
    EXPECT_LE(body.inside_fraction[e], 1);
    const Tetrahedron& t = body.mesh.tetrahedra[e];
    if (std::all_of(t.begin(), t.end(), [&](int v) {
          const auto vertex = static_cast<std::size_t>(v);
          return vertex >= body.anchors.size() || body.anchors[vertex].on_surface();
        })) {
      EXPECT_EQ(body.inside_fraction[e], 1);
    }
  }
  return on_surface / static_cast<double>(body.anchors.size());
}

// Flat faces on a round surface lose volume with the square of their size.
TEST(SurfaceFittedMesh, FillsASphereAtSecondOrder) {
  const TriangleMesh surface = sphere({0.3, -1, 2}, 1, 64);
  const double inside = signed_volume(surface);
  std::vector<double> missing;
  for (const double cell : {0.5, 0.25, 0.125}) {
    const SurfaceFittedMesh body = fitted(surface, cell);
    EXPECT_GT(check(surface, body), 0.9) << cell;
    missing.push_back(1 - filled_volume(body) / inside);
    EXPECT_GT(missing.back(), 0) << cell;
  }
  EXPECT_LT(missing[0], 0.15);
  EXPECT_LT(missing[1], missing[0] / 3);
  EXPECT_LT(missing[2], missing[1] / 3);
}

TEST(SurfaceFittedMesh, EdgesAndBranchesStayInside) {
  for (const TriangleMesh& surface :
       {box({0, 0, 0}, {1, 0.6, 0.7}), u_tube(1, 0.5, 0.3), capsule({0, 0, 0}, {1, 0.4, 0.2}, 0.25)}) {
    const SurfaceFittedMesh body = fitted(surface, 0.1);
    EXPECT_GT(check(surface, body), 0.75);
    EXPECT_NEAR(filled_volume(body) / signed_volume(surface), 1, 0.06);
    EXPECT_GT(body.interior_vertices(), 0u);
  }
}

// A surface without an inside keeps a body, of its thickness, around every vertex.
TEST(SurfaceFittedMesh, OpenSheetsKeepABody) {
  const TriangleMesh surface = sheet(12, [](double u, double v) { return Vec3{u, v, 0.1 * std::sin(3 * u)}; });
  const SurfaceFittedMesh body = fitted(surface, 0.12);
  check(surface, body);
  for (const Vec3& p : surface.positions) {
    double nearest = HUGE_VAL;
    for (const Vec3& q : body.mesh.positions) nearest = std::min(nearest, distance(p, q));
    EXPECT_LT(nearest, body.cell_size);
  }
}

// Where the surface moves rigidly, so does every boundary vertex, those beside it too.
TEST(SurfaceFittedMesh, BoundaryGoesAlongWithRigidMotion) {
  TriangleMesh surface = u_tube(1, 0.5, 0.3);
  append(surface, sheet(6, [](double u, double v) { return Vec3{2 + u, v, 0.1 * u * u}; }));
  const SurfaceFittedMesh body = fitted(surface, 0.15);
  EXPECT_LT(check(surface, body), 1) << "some vertices are to lie beside the surface";
  const Mat3 turn = to_matrix(normalized(Quat{0.3, -0.2, 0.7, 0.4}));
  std::vector<Vec3> moved;
  for (const Vec3& p : surface.positions) moved.push_back(turn * p + Vec3{1, 2, 3});
  for (std::size_t v = 0; v < body.anchors.size(); ++v)
    EXPECT_LT(distance(anchored_position(body.anchors[v], moved), turn * body.mesh.positions[v] + Vec3{1, 2, 3}),
              1e-10);
}

TEST(SurfaceFittedMesh, DeterministicForAnyNumberOfThreads) {
  const TriangleMesh surface = u_tube(1, 0.5, 0.3);
  expect_same_bits([&] {
    const SurfaceFittedMesh body = fitted(surface, 0.1);
    std::vector<double> numbers = body.inside_fraction;
    for (const Vec3& p : body.mesh.positions) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    for (const Tetrahedron& t : body.mesh.tetrahedra) numbers.insert(numbers.end(), t.begin(), t.end());
    for (const SurfaceAnchor& a : body.anchors) {
      numbers.insert(numbers.end(), a.vertex.begin(), a.vertex.end());
      numbers.insert(numbers.end(), a.weight.begin(), a.weight.end());
      numbers.insert(numbers.end(), a.frame.begin(), a.frame.end());
      numbers.insert(numbers.end(), {a.offset.x, a.offset.y, a.offset.z});
    }
    return numbers;
  });
}

}  // namespace
}  // namespace sinew
