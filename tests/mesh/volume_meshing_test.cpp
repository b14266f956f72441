#include "sinew/mesh/volume/volume_meshing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/quality.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

struct Facts {
  MeshQuality quality;
  std::vector<int> component;  // per tetrahedron
  double filled = 0;           // sum of inside fraction times volume
  double worst_outside = 0;    // farthest surface vertex outside its element, in the element's size
};

// Distance of p beyond the worst face of the tetrahedron, by plain geometry.
double beyond(const std::array<Vec3, 4>& c, const Vec3& p) {
  double worst = -HUGE_VAL;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 a = c[(i + 1) % 4], b = c[(i + 2) % 4], d = c[(i + 3) % 4];
    Vec3 n = normalized(cross(b - a, d - a));
    if (dot(n, c[i] - a) > 0) n = -n;
    worst = std::max(worst, dot(n, p - a));
  }
  return worst;
}

double longest_edge(const std::array<Vec3, 4>& c) {
  double longest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) longest = std::max(longest, distance(c[i], c[j]));
  return longest;
}

// What every body mesh must satisfy, whatever the surface.
Facts check(const TriangleMesh& surface, const VolumeMesh& body) {
  Facts facts;
  facts.quality = measure_quality(body.mesh, &facts.component);
  const std::size_t n = body.mesh.tetrahedra.size();
  EXPECT_GT(n, 0u);
  EXPECT_EQ(body.cell.size(), n);
  EXPECT_EQ(body.duplicated.size(), n);
  EXPECT_EQ(body.inside_fraction.size(), n);
  EXPECT_GT(facts.quality.smallest_volume, 0);
  EXPECT_GE(facts.quality.dihedral.smallest, 8);
  EXPECT_LE(facts.quality.dihedral.largest, 165);
  std::vector<char> carries(static_cast<std::size_t>(facts.quality.components), 0), used(body.mesh.positions.size(), 0);
  for (std::size_t e = 0; e < n; ++e) {
    const auto p = corners_of(body.mesh, e);
    EXPECT_GE(body.inside_fraction[e], 0);
    EXPECT_LE(body.inside_fraction[e], 1);
    facts.filled += body.inside_fraction[e] * volume(p[0], p[1], p[2], p[3]);
    for (int v : body.mesh.tetrahedra[e]) used[static_cast<std::size_t>(v)] = 1;
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0);
  EXPECT_EQ(body.embedding.points.size(), surface.positions.size());
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    const EmbeddedPoint& point = body.embedding.points[v];
    EXPECT_GE(point.tetrahedron, 0);
    if (point.tetrahedron < 0) continue;
    const auto p = corners_of(body.mesh, static_cast<std::size_t>(point.tetrahedron));
    Vec3 x;
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      x += point.weights[k] * p[k];
      sum += point.weights[k];
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_LT(distance(x, surface.positions[v]), 1e-9 * body.cell_size);
    facts.worst_outside = std::max(facts.worst_outside, beyond(p, surface.positions[v]) / longest_edge(p));
    carries[static_cast<std::size_t>(facts.component[static_cast<std::size_t>(point.tetrahedron)])] = 1;
  }
  EXPECT_LE(facts.worst_outside, 0.02);
  // No orphans: every connected body carries some of the surface.
  EXPECT_EQ(std::count(carries.begin(), carries.end(), 0), 0);
  return facts;
}

VolumeMesh with_cell(const TriangleMesh& surface, double cell) {
  VolumeMeshingOptions options;
  options.cell_size = cell;
  return mesh_volume(surface, options);
}

int component_at(const VolumeMesh& body, const Facts& facts, std::size_t vertex) {
  return facts.component[static_cast<std::size_t>(body.embedding.points[vertex].tetrahedron)];
}

TEST(VolumeMeshing, SphereHugsItsVolume) {
  const TriangleMesh surface = sphere({0.3, -0.2, 0.1}, 1, 64);
  const VolumeMesh body = mesh_volume(surface);
  const Facts facts = check(surface, body);
  EXPECT_EQ(facts.quality.components, 1);
  EXPECT_NEAR(double(facts.quality.tetrahedra), 8000, 0.2 * 8000);
  EXPECT_NEAR(facts.filled / signed_volume(surface), 1, 0.005);
  EXPECT_LT(facts.quality.total_volume / signed_volume(surface), 1.08);
  EXPECT_EQ(std::count(body.duplicated.begin(), body.duplicated.end(), 1), 0);
}

TEST(VolumeMeshing, ReachesTargetCounts) {
  const TriangleMesh surface = capsule({0, 0, 0}, {3, 1, 0}, 0.4);
  for (int target : {500, 3000, 20000}) {
    VolumeMeshingOptions options;
    options.target_tetrahedra = target;
    const VolumeMesh body = mesh_volume(surface, options);
    check(surface, body);
    EXPECT_NEAR(double(body.mesh.tetrahedra.size()), target, 0.2 * target);
  }
}

TEST(VolumeMeshing, NearCapsulesStayApart) {
  // Gap of 0.3 cells, at several directions against the lattice.
  std::ptrdiff_t duplicated = 0;
  for (const Vec3 direction : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 2, 3}}) {
    const double cell = 0.2, radius = 0.5, offset = 2 * radius + 0.3 * cell;
    const Vec3 d = normalized(direction);
    const Vec3 across = normalized(cross(d, Vec3{0.3, -0.5, 0.8}));
    TriangleMesh surface = capsule(Vec3{}, 2.0 * across, radius, 48, 48);
    const std::size_t first = surface.positions.size();
    append(surface, capsule(offset * d, offset * d + 2.0 * across, radius, 48, 48));
    const VolumeMesh body = with_cell(surface, cell);
    const Facts facts = check(surface, body);
    EXPECT_EQ(facts.quality.components, 2);
    for (std::size_t v = 0; v < surface.positions.size(); ++v)
      EXPECT_EQ(component_at(body, facts, v), component_at(body, facts, v < first ? 0 : first));
    duplicated += std::count(body.duplicated.begin(), body.duplicated.end(), 1);
    EXPECT_NEAR(facts.filled / signed_volume(surface), 1, 0.02);
  }
  EXPECT_GT(duplicated, 0);
}

TEST(VolumeMeshing, TouchingCapsulesStayApart) {
  const double cell = 0.2, radius = 0.5;
  TriangleMesh surface = capsule({0, 0, 0}, {2, 0, 0}, radius, 48, 48);
  const double offset = 2 * radius + 1e-3 * cell;
  append(surface, capsule({0, offset, 0}, {2, offset, 0}, radius, 48, 48));
  const Facts facts = check(surface, with_cell(surface, cell));
  EXPECT_EQ(facts.quality.components, 2);
}

// The legs of a U share no element; the arc joins them.
TEST(VolumeMeshing, LegsOfUTubeShareNothing) {
  const double radius = 0.5, cell = 0.25, bend = radius + 0.1 * cell;
  const TriangleMesh surface = u_tube(4, bend, radius);
  const VolumeMesh body = with_cell(surface, cell);
  const Facts facts = check(surface, body);
  EXPECT_EQ(facts.quality.components, 1);
  std::set<int> left, right;
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    const Vec3& p = surface.positions[v];
    if (p.y > -1) continue;
    for (int n : body.mesh.tetrahedra[static_cast<std::size_t>(body.embedding.points[v].tetrahedron)])
      (p.x < 0 ? left : right).insert(n);
  }
  for (int n : left) EXPECT_EQ(right.count(n), 0u);
  EXPECT_NEAR(facts.filled / signed_volume(surface), 1, 0.02);
}

TEST(VolumeMeshing, OverlappingShellsAreOneBody) {
  TriangleMesh surface = sphere({0, 0, 0}, 1, 48);
  append(surface, capsule({0.5, 0, 0}, {2.5, 0, 0}, 0.3));  // an arm stuck into a torso
  append(surface, sphere({-0.8, 0.3, 0.2}, 0.25));          // an eye
  const Facts facts = check(surface, with_cell(surface, 0.15));
  EXPECT_EQ(facts.quality.components, 1);
}

TEST(VolumeMeshing, ThinSheetIsOnePieceOfCells) {
  const TriangleMesh surface = sheet(20, [](double u, double v) { return Vec3{u, v, 0.1 * std::sin(4 * u) * v}; });
  const VolumeMesh body = mesh_volume(surface);
  const Facts facts = check(surface, body);
  EXPECT_EQ(facts.quality.components, 1);
  EXPECT_NEAR(double(facts.quality.tetrahedra), 8000, 1600);
}

TEST(VolumeMeshing, ThinPlateIsOneSolid) {
  // A tenth of a cell thick: both faces belong to the same elements.
  const TriangleMesh surface = box({0, 0, 0}, {2, 1.5, 0.02});
  const VolumeMesh body = with_cell(surface, 0.2);
  const Facts facts = check(surface, body);
  EXPECT_EQ(facts.quality.components, 1);
  EXPECT_EQ(std::count(body.duplicated.begin(), body.duplicated.end(), 1), 0);
  EXPECT_NEAR(facts.filled / signed_volume(surface), 1, 0.1);
}

TEST(VolumeMeshing, ThinHairIsCovered) {
  const TriangleMesh surface = capsule({0, 0, 0}, {1, 0.7, 0.4}, 0.004, 6, 40);
  const Facts facts = check(surface, with_cell(surface, 0.1));
  EXPECT_EQ(facts.quality.components, 1);
}

TEST(VolumeMeshing, DirtySurfaceFillsLikeTheCleanOne) {
  const TriangleMesh clean = sphere({0, 0, 0}, 1, 48);
  const double solid = signed_volume(clean);
  TriangleMesh dirty;  // soup: no shared vertices
  for (const Triangle& t : clean.triangles) {
    const int base = static_cast<int>(dirty.positions.size());
    for (int v : t) dirty.positions.push_back(clean.positions[static_cast<std::size_t>(v)]);
    dirty.triangles.push_back({base, base + 1, base + 2});
  }
  const std::size_t count = dirty.triangles.size();
  for (std::size_t t = 0; t < count; t += 3) std::swap(dirty.triangles[t][0], dirty.triangles[t][1]);  // inconsistent
  dirty.triangles.erase(dirty.triangles.begin() + 100, dirty.triangles.begin() + 104);                 // a hole
  dirty.triangles.push_back(dirty.triangles[7]);                                                       // duplicate
  dirty.triangles.push_back({3, 3, 4});                                                                // degenerate
  dirty.positions.push_back({5, 5, 5});                                                                // unreferenced
  const VolumeMesh body = with_cell(dirty, 0.15);
  EXPECT_EQ(body.embedding.points.size(), dirty.positions.size());
  EXPECT_GE(body.embedding.points.back().tetrahedron, 0);
  dirty.positions.pop_back();
  VolumeMesh rest = body;
  rest.embedding.points.pop_back();
  const Facts facts = check(dirty, rest);
  EXPECT_EQ(facts.quality.components, 1);
  EXPECT_NEAR(facts.filled / solid, 1, 0.02);
}

TEST(VolumeMeshing, InvertedSurfaceIsTurned) {
  TriangleMesh surface = sphere({0, 0, 0}, 1, 32);
  const double solid = signed_volume(surface);
  reverse(surface);
  const Facts facts = check(surface, with_cell(surface, 0.2));
  EXPECT_NEAR(facts.filled / solid, 1, 0.01);
}

TEST(VolumeMeshing, CavityStaysEmpty) {
  TriangleMesh surface = sphere({0, 0, 0}, 1, 48), cavity = sphere({0.1, 0, 0}, 0.6, 32);
  reverse(cavity);
  append(surface, cavity);
  const Facts facts = check(surface, with_cell(surface, 0.15));
  EXPECT_NEAR(facts.filled / signed_volume(surface), 1, 0.01);
}

TEST(VolumeMeshing, SameMeshForAnyNumberOfThreads) {
  TriangleMesh surface = u_tube(2, 0.52, 0.5);
  append(surface, sheet(8, [](double u, double v) { return Vec3{u, v - 3, 1.0}; }));
  set_thread_count(1);
  const VolumeMesh one = mesh_volume(surface);
  for (int threads : {2, 4}) {
    set_thread_count(threads);
    const VolumeMesh many = mesh_volume(surface);
    EXPECT_EQ(one.mesh.positions, many.mesh.positions);
    EXPECT_EQ(one.mesh.tetrahedra, many.mesh.tetrahedra);
    EXPECT_EQ(one.inside_fraction, many.inside_fraction);
    for (std::size_t v = 0; v < surface.positions.size(); ++v)
      EXPECT_EQ(one.embedding.points[v].weights, many.embedding.points[v].weights);
  }
  set_thread_count(0);
}

TEST(VolumeMeshing, ScaleDoesNotMatter) {
  const TriangleMesh surface = u_tube(2, 0.52, 0.5);
  TriangleMesh large = surface;
  for (Vec3& p : large.positions) p *= 128;
  const VolumeMesh a = mesh_volume(surface), b = mesh_volume(large);
  ASSERT_EQ(a.mesh.tetrahedra, b.mesh.tetrahedra);
  for (std::size_t v = 0; v < a.mesh.positions.size(); ++v)
    EXPECT_LT(distance(128.0 * a.mesh.positions[v], b.mesh.positions[v]), 1e-6 * b.cell_size);
}

TEST(VolumeMeshing, NeedlesAndFarIslandsCostLittle) {
  TriangleMesh surface = sphere({0, 0, 0}, 1, 24);
  const int v = static_cast<int>(surface.positions.size());
  surface.positions.insert(surface.positions.end(), {{900, 700, 800}, {900, 700, 800.001}});
  surface.triangles.push_back({0, v, v + 1});  // a spike across thousands of cells
  append(surface, sphere({-5000, 3000, 8000}, 0.1, 8));
  VolumeMeshingOptions options;
  options.cell_size = 0.3;
  check(surface, mesh_volume(surface, options));
}

TEST(VolumeMeshing, BadInputIsRefused) {
  EXPECT_THROW(mesh_volume({}), Error);
  TriangleMesh flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  flat.triangles = {{0, 1, 2}};
  EXPECT_THROW(mesh_volume(flat), Error);
  TriangleMesh broken = sphere({0, 0, 0}, 1);
  broken.positions[3].y = std::nan("");
  EXPECT_THROW(mesh_volume(broken), Error);
  broken = sphere({0, 0, 0}, 1);
  broken.triangles[3][1] = 100000;
  EXPECT_THROW(mesh_volume(broken), Error);
  VolumeMeshingOptions options;
  options.cell_size = 1e-9;
  EXPECT_THROW(mesh_volume(sphere({0, 0, 0}, 1), options), Error);
  options.cell_size = -1;
  EXPECT_THROW(mesh_volume(sphere({0, 0, 0}, 1), options), Error);
  options.cell_size.reset();
  options.target_tetrahedra = 0;
  EXPECT_THROW(mesh_volume(sphere({0, 0, 0}, 1), options), Error);
}

TEST(VolumeMeshing, RealSurfaces) {
  const std::filesystem::path folder = characters();
  if (folder.empty()) return;
  for (const char* name :
       {"research/spot/spot.obj", "research/cd_elephant/elephant.obj", "research/cd_fish/fish.obj",
        "research/cd_frog/frog.obj", "research/vs_snail/mesh.obj", "research/vs_dragon/mesh.obj",
        "messy/trimesh_messy/rabbit.obj", "messy/trimesh_messy/quadknot.obj", "messy/trimesh_messy/not_convex.obj"}) {
    SCOPED_TRACE(name);
    const TriangleMesh surface = read_simple_obj(folder / name);
    const VolumeMesh body = mesh_volume(surface);
    const Facts facts = check(surface, body);
    EXPECT_NEAR(double(facts.quality.tetrahedra), 8000, 1600);
  }
}

TEST(VolumeMeshing, IsStoppedAtEachReport) {
  const TriangleMesh surface = capsule({0, 0, 0}, {1, 0, 0}, 0.2);
  VolumeMeshingOptions by_count, by_size;
  by_count.target_tetrahedra = 500;
  by_size.cell_size = 0.15;
  for (const VolumeMeshingOptions& options : {by_count, by_size}) {
    std::vector<double> fractions;
    mesh_volume(surface, options, [&](const ProgressReport& report) {
      fractions.push_back(report.fraction);
      return true;
    });
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    ASSERT_GE(fractions.size(), 6u);
    for (std::size_t stop = 0; stop < fractions.size(); ++stop) {
      std::size_t heard = 0;
      EXPECT_THROW(mesh_volume(surface, options, [&](const ProgressReport&) { return heard++ != stop; }), Stopped);
      EXPECT_EQ(heard, stop + 1);
    }
  }
}

}  // namespace
}  // namespace sinew
