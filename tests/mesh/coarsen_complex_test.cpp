// Tetrahedral complexes under change: what splits, collapses, flips and smoothing keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "coarsen_blocks.h"
#include "sinew/mesh/lattice_building/coarsen_collapse.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/lattice_building/coarsen_improve.h"
#include "sinew/mesh/lattice_building/coarsen_points.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

using test::block;
using test::complex_volume;
using test::expect_sound;

TEST(CoarsenComplex, MeanRatioOfKnownTetrahedra) {
  const double h = std::sqrt(2.0);
  const std::array<Vec3, 4> regular{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
  EXPECT_NEAR(std::abs(mean_ratio(regular)), 1, 1e-14);
  // The corner of a cube: V = 1/6, squares of edges 3 * 1 + 3 * 2 = 9.
  EXPECT_NEAR(mean_ratio({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}), 12 * std::cbrt(0.25) / 9, 1e-14);
  EXPECT_LT(mean_ratio({{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}), 0);
  EXPECT_EQ(mean_ratio({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {h, h, 0}}}), 0);
}

TEST(CoarsenComplex, SplitsKeepVolumeAndPoints) {
  TetrahedralComplex complex(block(2, 2, 2));
  carry_surface(complex, test::block_surface(2, 2, 2), test::homes_of(complex, test::block_surface(2, 2, 2)), 0.3);
  ASSERT_EQ(enclose_points(complex, 0.01), 0);
  const double before = complex_volume(complex);
  const std::array<Vec3, 4> first = complex.corners(0);
  const int inside = split_tetrahedron(complex, 0, 0.25 * (first[0] + first[1] + first[2] + first[3]));
  ASSERT_GE(inside, 0);
  int interior = -1;
  std::size_t face = 4;
  for (int t = 1; t < 20 && interior < 0; ++t)
    for (std::size_t k = 0; k < 4; ++k)
      if (across(complex, t, k) >= 0) {
        interior = t;
        face = k;
      }
  const std::array<Vec3, 4> p = complex.corners(interior);
  const Vec3 on_face = (p[(face + 1) % 4] + p[(face + 2) % 4] + p[(face + 3) % 4]) / 3;
  ASSERT_GE(split_face(complex, interior, face, on_face), 0);
  const int a = complex.tetrahedra[7][0], b = complex.tetrahedra[7][2];
  ASSERT_GE(split_edge(complex, a, b, 0.5 * (complex.positions[std::size_t(a)] + complex.positions[std::size_t(b)])),
            0);
  EXPECT_NEAR(complex_volume(complex), before, 1e-12 * before);
  expect_sound(complex);
}

TEST(CoarsenComplex, SplitsThatWouldTurnTetrahedraInsideOutDoNotHappen) {
  TetrahedralComplex complex(block(1, 1, 1));
  const std::size_t vertices = complex.positions.size(), tetrahedra = complex.tetrahedra.size();
  EXPECT_EQ(split_tetrahedron(complex, 0, {5, 5, 5}), -1);
  EXPECT_EQ(complex.positions.size(), vertices);
  EXPECT_EQ(complex.tetrahedra.size(), tetrahedra);
  expect_sound(complex);
}

// Two tetrahedra glued by a face, and a ring of them around an edge: which edges may collapse is known.
TEST(CoarsenComplex, LinkConditionOnSmallComplexes) {
  TetrahedralMesh two;
  two.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1}, {0.3, 0.3, -1}};
  two.tetrahedra = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  const TetrahedralComplex pair(two);
  // Each leaves one tetrahedron or none: an edge of the common face would take both away.
  EXPECT_FALSE(collapse_keeps_topology(pair, 0, 1));
  EXPECT_TRUE(collapse_keeps_topology(pair, 0, 3));
  EXPECT_TRUE(collapse_keeps_topology(pair, 2, 4));
  TetrahedralMesh one;
  one.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  one.tetrahedra = {{0, 1, 2, 3}};
  EXPECT_FALSE(collapse_keeps_topology(TetrahedralComplex(one), 0, 1));
  // An edge through the block, between vertices of its boundary, but not itself on it.
  const TetrahedralComplex cube(block(2, 2, 2));
  int through = 0;
  for (int v = 0; v < static_cast<int>(cube.positions.size()); ++v)
    for (int w : neighbours(cube, v)) {
      if (w < v || !on_boundary(cube, v) || !on_boundary(cube, w)) continue;
      const Vec3 middle = 0.5 * (cube.positions[std::size_t(v)] + cube.positions[std::size_t(w)]);
      if (std::min({middle.x, middle.y, middle.z, 2 - middle.x, 2 - middle.y, 2 - middle.z}) < 0.1) continue;
      ++through;
      EXPECT_FALSE(collapse_keeps_topology(cube, v, w));
    }
  EXPECT_GT(through, 0);
}

TEST(CoarsenComplex, CoarseningEnclosesEveryPointAndStaysSound) {
  const TriangleMesh surface = test::wavy_tube();
  VolumeMesh body;
  TetrahedralComplex complex = test::complex_of(surface, 3000, body);
  ASSERT_EQ(enclose_points(complex, 0.01 * body.cell_size), 0);
  const std::vector<double> size(complex.positions.size(), 0.35);
  CoarsenOptions options;
  options.target_tetrahedra = 120;
  options.highest_cost = HUGE_VAL;
  coarsen(complex, size, options);
  EXPECT_LE(alive_tetrahedra(complex), 160);
  EXPECT_EQ(farthest_outside(complex), 0);
  expect_sound(complex);
  const double before = test::worst_mean_ratio(complex);
  improve(complex, size, {});
  EXPECT_EQ(farthest_outside(complex), 0);
  EXPECT_GE(test::worst_mean_ratio(complex), 0.8 * before);
  expect_sound(complex);
  // No point was lost.
  std::set<int> carried;
  for (const std::vector<int>& list : complex.carried) carried.insert(list.begin(), list.end());
  EXPECT_EQ(carried.size(), complex.points.size());
  // The surface's own vertices, looked at independently.
  const TetrahedralMesh mesh = test::alive_mesh(complex);
  const Embedding embedding = embed_points(mesh, surface.positions);
  for (std::size_t v = 0; v < surface.positions.size(); ++v)
    EXPECT_LE(distance_outside(corners_of(mesh, std::size_t(embedding.points[v].tetrahedron)), surface.positions[v]),
              1e-9);
}

TEST(CoarsenComplex, FlipsKeepVolumeAndRaiseTheWorst) {
  TetrahedralComplex complex(block(3, 3, 3));
  // Inner vertices pushed about make bad tetrahedra.
  for (std::size_t v = 0; v < complex.positions.size(); ++v)
    if (!on_boundary(complex, int(v)))
      for (int k = 0; k < 6; ++k) {
        const Vec3 p = complex.positions[v] + 0.1 * test::direction(int(v) * 7 + k);
        const Replacement moved = moved_vertex(complex, int(v), p);
        if (smallest_mean_ratio(moved) > 0.05) replace(complex, moved, {}, {});
      }
  const double volume_before = complex_volume(complex), worst = test::worst_mean_ratio(complex);
  EXPECT_GT(flip_edges_and_faces(complex), 0);
  EXPECT_NEAR(complex_volume(complex), volume_before, 1e-12 * volume_before);
  EXPECT_GE(test::worst_mean_ratio(complex), worst);
  expect_sound(complex);
}

}  // namespace
}  // namespace sinew
