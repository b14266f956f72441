// Winding numbers of polygons of many corners, whose triangles are slivers of all lengths in the same places.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include "sinew/mesh/surface/polygon_triangulation.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {
namespace {

// A drum whose ends are one polygon each.
TriangleMesh drum(int corners) {
  TriangleMesh mesh;
  for (const double z : {-0.2, 0.2})
    for (int k = 0; k < corners; ++k)
      mesh.positions.push_back({std::cos(2 * pi * k / corners), std::sin(2 * pi * k / corners), z});
  std::vector<Triangle> cap;
  triangulate_polygon(std::span(mesh.positions).first(static_cast<std::size_t>(corners)), cap);
  for (const Triangle& t : cap) {
    mesh.triangles.push_back({t[2], t[1], t[0]});
    mesh.triangles.push_back({t[0] + corners, t[1] + corners, t[2] + corners});
  }
  for (int k = 0; k < corners; ++k) {
    const int next = (k + 1) % corners;
    mesh.triangles.push_back({k, next, next + corners});
    mesh.triangles.push_back({k, next + corners, k + corners});
  }
  return mesh;
}

std::vector<Vec3> points_around(int count) {
  std::mt19937 random(5);
  const auto number = [&] { return 2.6 * static_cast<double>(random()) / 4294967296.0 - 1.3; };
  std::vector<Vec3> points;
  for (int k = 0; k < count; ++k) points.push_back({number(), number(), 0.3 * number()});
  return points;
}

TEST(SliverLayers, TheSumIsThatOfAllTriangles) {
  const TriangleMesh mesh = drum(800);
  const BoundingVolumeHierarchy tree(mesh);
  const WindingNumber fast(tree), exact(tree, HUGE_VAL);
  for (const Vec3& p : points_around(500)) {
    const double inside = std::hypot(p.x, p.y) < 1 && std::fabs(p.z) < 0.2 ? 1 : 0;
    EXPECT_NEAR(exact(p), inside, 1e-3);  // a polygon, not quite a circle
    EXPECT_NEAR(fast(p), exact(p), 0.01);
  }
}

// Eight times as many corners cost far less than eight times as much a point; on processor time, of this thread.
TEST(SliverLayers, ManyCornersCostLittle) {
  const auto seconds = [](int corners) {
    const TriangleMesh mesh = drum(corners);
    const BoundingVolumeHierarchy tree(mesh);
    const WindingNumber winding(tree);
    const std::vector<Vec3> points = points_around(4000);
    const std::clock_t begin = std::clock();
    double sum = 0;
    for (const Vec3& p : points) sum += winding(p);
    EXPECT_GT(sum, 0);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  seconds(500);
  EXPECT_LT(seconds(8000), 5 * seconds(1000));
}

// A flat polygon is open all around: what closes it is not one sliver for each of its edges, all to one place.
TEST(SliverLayers, AnOpenPolygonOfManyCornersIsMeshedAsSoon) {
  const auto seconds = [](int corners) {
    TriangleMesh mesh;
    for (int k = 0; k < corners; ++k)
      mesh.positions.push_back({std::cos(2 * pi * k / corners), std::sin(2 * pi * k / corners), 0});
    triangulate_polygon(mesh.positions, mesh.triangles);
    VolumeMeshingOptions options;
    options.target_tetrahedra = 1000;
    const std::clock_t begin = std::clock();
    EXPECT_GT(mesh_volume(mesh, options).mesh.tetrahedra.size(), 300u);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  seconds(100);
  EXPECT_LT(seconds(4000), 4 * seconds(400));
}

}  // namespace
}  // namespace sinew::test
