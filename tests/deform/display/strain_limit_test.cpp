// The bound on what is shown: edges within it, nothing turned over, and nothing touched that is well.
#include "sinew/deform/display/strain_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/topology.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

constexpr double within = 1.02;  // the bound, and the hundredth that is left, twice

TriangleMesh flat(int n) {
  return sheet(n, [](double u, double v) { return Vec3{u, 0, v}; });
}

double worst_ratio(const TriangleMesh& mesh, std::span<const Vec3> displacement) {
  double worst = 1;
  for (const auto& [a, b] : mesh_edges(mesh).vertices) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const double rest = distance(mesh.positions[i], mesh.positions[j]);
    const double now = norm(mesh.positions[j] + displacement[j] - mesh.positions[i] - displacement[i]);
    worst = std::max({worst, now / rest, rest / std::max(now, 1e-12)});
  }
  return worst;
}

int turned_over(const TriangleMesh& mesh, std::span<const Vec3> displacement) {
  int count = 0;
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t k) { return mesh.positions[static_cast<std::size_t>(t[k])]; };
    const auto now = [&](std::size_t k) { return at(k) + displacement[static_cast<std::size_t>(t[k])]; };
    count += dot(cross(at(1) - at(0), at(2) - at(0)), cross(now(1) - now(0), now(2) - now(0))) < 0;
  }
  return count;
}

TEST(StrainLimit, LeavesWhatIsWellAsItIs) {
  const TriangleMesh mesh = flat(20);
  std::vector<Vec3> displacement(mesh.positions.size());
  for (std::size_t v = 0; v < displacement.size(); ++v)
    displacement[v] = {0.2 * mesh.positions[v].x, 0.1 * std::sin(3 * mesh.positions[v].z), 5};
  const std::vector<Vec3> before = displacement;
  StrainLimiter bound(mesh, {}, {});
  EXPECT_EQ(bound(mesh.positions, displacement), 0u);
  EXPECT_EQ(displacement, before);
}

TEST(StrainLimit, ASpikeIsDrawnBackAndTheRestStays) {
  const TriangleMesh mesh = flat(20);
  std::vector<Vec3> displacement(mesh.positions.size());
  displacement[210] = {0, 0.15, 0};  // three edges high
  ASSERT_GT(worst_ratio(mesh, displacement), 3);
  StrainLimiter bound(mesh, {}, {});
  const std::vector<Vec3> before = displacement;
  const std::size_t moved = bound(mesh.positions, displacement);
  std::size_t changed = 0;
  for (std::size_t v = 0; v < before.size(); ++v) changed += before[v] == displacement[v] ? 0 : 1;
  EXPECT_EQ(moved, changed);
  EXPECT_LT(worst_ratio(mesh, displacement), 1.3 * within);
  EXPECT_GT(displacement[210].y, 0.01);  // drawn back, not wiped out
  EXPECT_LT(moved, mesh.positions.size() / 2);
  EXPECT_EQ(displacement[0], Vec3{});
}

TEST(StrainLimit, NothingStaysTurnedOver) {
  const TriangleMesh mesh = flat(20);
  std::vector<Vec3> displacement(mesh.positions.size());
  // A bend sharper than the sheet: half of it folded onto the other.
  for (std::size_t v = 0; v < displacement.size(); ++v) {
    const double beyond = mesh.positions[v].x - 0.9;
    if (beyond > 0) displacement[v] = {-1.9 * beyond, 0.02, 0};
  }
  ASSERT_GT(turned_over(mesh, displacement), 0);
  StrainLimit options;
  options.sweeps = 200;
  StrainLimiter bound(mesh, {}, options);
  bound(mesh.positions, displacement);
  EXPECT_EQ(turned_over(mesh, displacement), 0);
}

// Wider than sweeps reach: the far half of a fine sheet is folded onto the near one, deeper than the sheet is long.
TEST(StrainLimit, WideFoldsAreUnfolded) {
  const TriangleMesh mesh = flat(60);
  std::vector<Vec3> displacement(mesh.positions.size());
  for (std::size_t v = 0; v < displacement.size(); ++v)
    displacement[v] = {-1.5 * std::sin(6 * mesh.positions[v].x), 0.1 * std::cos(5 * mesh.positions[v].z), 0};
  ASSERT_GT(turned_over(mesh, displacement), 1000);
  StrainLimiter bound(mesh, {}, {});
  bound(mesh.positions, displacement);
  EXPECT_EQ(turned_over(mesh, displacement), 0);
}

TEST(StrainLimit, FleshThatIsThrownAboutIsUnfolded) {
  const TriangleMesh mesh = flat(30);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const double edges : {1.0, 3.0, 10.0}) {
    std::vector<Vec3> displacement(mesh.positions.size());
    for (std::size_t v = 0; v < displacement.size(); ++v)
      if (norm(mesh.positions[v] - Vec3{0.5, 0, 0.5}) < 0.3)
        displacement[v] = edges / 30 * Vec3{number(random), number(random), number(random)};
    ASSERT_GT(turned_over(mesh, displacement), 50);
    StrainLimiter bound(mesh, {}, {});
    bound(mesh.positions, displacement);
    EXPECT_EQ(turned_over(mesh, displacement), 0) << edges;
  }
}

TEST(StrainLimit, WhatIsFixedStays) {
  const TriangleMesh mesh = flat(20);
  std::vector<Vec3> displacement(mesh.positions.size());
  std::vector<char> fixed(mesh.positions.size(), 0);
  displacement[210] = {0, 0.1, 0};
  fixed[210] = 1;
  StrainLimit options;
  options.sweeps = 200;
  StrainLimiter bound(mesh, fixed, options);
  bound(mesh.positions, displacement);
  EXPECT_EQ(displacement[210], (Vec3{0, 0.1, 0}));
  EXPECT_LT(worst_ratio(mesh, displacement), 1.3 * within);
}

TEST(StrainLimit, AsThreadsDoNotMatter) {
  const TriangleMesh mesh = flat(60);
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 0.01);
  std::vector<Vec3> rough(mesh.positions.size());
  for (Vec3& d : rough) d = {normal(random), normal(random), normal(random)};
  std::vector<std::vector<Vec3>> results;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    results.push_back(rough);
    StrainLimiter bound(mesh, {}, {});
    bound(mesh.positions, results.back());
  }
  set_thread_count(0);
  EXPECT_NE(results[0], rough);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace sinew
