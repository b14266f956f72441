#include "sinew/mesh/control_lattice/point_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/mesh/quality.h"
#include "tests/base/refusal.h"
#include "tests/mesh/lattices.h"

namespace sinew::test {
namespace {

struct Fine {
  SubdividedLattice lattice;
  LatticeTetrahedra tetrahedra;
};
Fine fine(const ControlLattice& lattice, SubdivisionScheme scheme = SubdivisionScheme::trilinear, int levels = 2) {
  Fine result{subdivide(lattice, scheme, levels), {}};
  result.tetrahedra = cut_into_tetrahedra(result.lattice);
  return result;
}

TEST(PointValues, GivePointsBackInsideAndOutside) {
  std::mt19937 random(2);
  std::uniform_real_distribution<> at(-0.5, 3.5);
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) points.push_back({at(random), at(random) - 1, at(random) - 1});
  for (const ControlLattice& lattice :
       {hexahedral_box(3, 2, 2), tetrahedral_box(3, 2, 2), prism_bar(3, 5), mixed_lattice()})
    for (SubdivisionScheme scheme : {SubdivisionScheme::trilinear, SubdivisionScheme::mlca}) {
      const Fine f = fine(lattice, scheme);
      const LatticeEmbedding embedding = embed_in_lattice(f.lattice, f.tetrahedra, points);
      const SparseRows values = point_values(embedding.points, f.tetrahedra.mesh, nodal_basis(f.lattice, 0));
      ASSERT_EQ(values.rows(), points.size());
      ASSERT_EQ(values.columns, static_cast<int>(lattice.positions.size()));
      std::vector<Vec3> back(points.size());
      multiply(values, lattice.positions, back);
      for (std::size_t i = 0; i < points.size(); ++i) ASSERT_LT(norm(back[i] - points[i]), 1e-12);
      std::vector<double> ones(lattice.positions.size(), 1.0), sums(points.size());
      multiply(values, ones, sums);
      for (double sum : sums) ASSERT_NEAR(sum, 1, 1e-12);
    }
}

TEST(PointValues, PointsOutsideAreReportedTheFarthestFirst) {
  const Fine f = fine(hexahedral_box(2, 1, 1));
  const std::vector<Vec3> points{{0, 0, 0},     {1, 0.5, 1.25},   {2, 1, 1},
                                 {-3, -4, 0.5}, {1.5, 0.5, 1.01}, {1.3, 0.7, 0.2}};
  const LatticeEmbedding embedding = embed_in_lattice(f.lattice, f.tetrahedra, points, {}, 0.02);
  ASSERT_EQ(embedding.outside.size(), 2u);
  EXPECT_EQ(embedding.outside[0].point, 3);
  EXPECT_NEAR(embedding.outside[0].distance, 5, 1e-12);
  EXPECT_EQ(embedding.outside[1].point, 1);
  EXPECT_NEAR(embedding.outside[1].distance, 0.25, 1e-12);
  EXPECT_EQ(embed_in_lattice(f.lattice, f.tetrahedra, points).outside.size(), 3u);
  const std::vector<Vec3> bad{{0, 0, 0}, {0, NAN, 0}};
  refusal(ErrorKind::input, [&] { embed_in_lattice(f.lattice, f.tetrahedra, bad); });
}

// Two legs along x, of one cell per unit, that hang on one hip: leg 0 from y = 0 to `first_end`, leg 1 from
// `second_begin` to y = 2, from x = 2 on. At x = 1 they meet at y = 1. Cells 0 and 1 are the hip.
constexpr int leg_cells = 5;
ControlLattice two_legs(double first_end, double second_begin) {
  ControlLattice lattice;
  const auto add_section = [&](double x, double from, double to) {
    for (double z : {0.0, 1.0})
      for (double y : {from, to}) lattice.positions.push_back({x, y, z});
    return static_cast<int>(lattice.positions.size()) - 4;
  };
  const auto add_cell = [&](const std::array<int, 4>& a, const std::array<int, 4>& b) {
    add_hexahedron(lattice, {a[0], b[0], b[1], a[1], a[2], b[2], b[3], a[3]});
  };
  const auto section = [](int first) { return std::array<int, 4>{first, first + 1, first + 2, first + 3}; };
  std::array<int, 4> legs[2];
  std::array<int, 6> hip[2];  // y = 0, 1, 2 at z = 0, then at z = 1
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < 6; ++k) {
      hip[s][index(k)] = static_cast<int>(lattice.positions.size());
      lattice.positions.push_back({double(s), double(k % 3), double(k / 3)});
    }
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const auto part = [&](int s) {
      return std::array<int, 4>{hip[s][leg], hip[s][leg + 1], hip[s][leg + 3], hip[s][leg + 4]};
    };
    add_cell(part(0), part(1));
    legs[leg] = part(1);
  }
  for (std::size_t leg = 0; leg < 2; ++leg)
    for (int i = 0; i < leg_cells; ++i) {
      const std::array<int, 4> next =
          section(leg == 0 ? add_section(2 + i, 0, first_end) : add_section(2 + i, second_begin, 2));
      add_cell(legs[leg], next);
      legs[leg] = next;
    }
  return lattice;
}

// A tube with a square section, open at both ends.
TriangleMesh tube(double y0, double y1) {
  constexpr int along = 90, side = 8, around = 4 * side;
  TriangleMesh mesh;
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j < around; ++j) {
      const double t = double(j % side) / side;
      const double y[4] = {t, 1, 1 - t, 0}, z[4] = {0, t, 1, 1 - t};
      mesh.positions.push_back({0.3 + 5.5 * i / along, y0 + (y1 - y0) * y[j / side], 0.1 + 0.8 * z[j / side]});
    }
  const auto at = [&](int i, int j) { return i * around + j % around; };
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < around; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

// Per leg, how many vertices of its tube, of those beyond x = 2, are carried by the other leg.
std::array<int, 2> carried_by_the_other(const ControlLattice& lattice, bool joined) {
  const Fine f = fine(lattice);
  std::array<int, 2> wrong{0, 0};
  for (std::size_t leg = 0; leg < 2; ++leg) {
    const TriangleMesh surface = leg == 0 ? tube(0.1, 0.95) : tube(1.05, 1.9);
    const std::vector<Triangle> none;
    const LatticeEmbedding embedding =
        embed_in_lattice(f.lattice, f.tetrahedra, surface.positions, joined ? surface.triangles : none);
    const std::vector<Vec3> back = embedded_positions(embedding.points, f.tetrahedra.mesh, f.tetrahedra.mesh.positions);
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_LT(norm(back[i] - surface.positions[i]), 1e-12);
    for (std::size_t i = 0; i < surface.positions.size(); ++i) {
      const int t = embedding.points.points[i].tetrahedron;
      const int cell = f.lattice.cell[index(f.tetrahedra.hexahedron[index(t)])];
      const std::size_t carrier = cell < 2 ? index(cell) : cell < 2 + leg_cells ? 0 : 1;
      wrong[leg] += surface.positions[i].x > 2 && carrier != leg;
    }
  }
  return wrong;
}

TEST(PointValues, OverlappingLegsCarryTheirOwnSurfaces) {
  const ControlLattice lattice = two_legs(1.3, 0.7);
  EXPECT_FALSE(check_lattice(lattice, 1).overlapping_cells.empty());
  const std::array<int, 2> alone = carried_by_the_other(lattice, false), joined = carried_by_the_other(lattice, true);
  EXPECT_GT(alone[0] + alone[1], 500);
  EXPECT_EQ(joined, (std::array<int, 2>{0, 0}));
}

// A leg's surface that leaves its own cells for those of the other leg stays with its own.
TEST(PointValues, LegsThatNearlyTouchCarryTheirOwnSurfaces) {
  const ControlLattice lattice = two_legs(0.9, 0.92);
  EXPECT_TRUE(check_lattice(lattice, 1).overlapping_cells.empty());
  const std::array<int, 2> alone = carried_by_the_other(lattice, false), joined = carried_by_the_other(lattice, true);
  EXPECT_GT(alone[0], 300);
  EXPECT_EQ(joined, (std::array<int, 2>{0, 0}));
}

TEST(PointValues, AnyNumberOfThreadsGivesTheSame) {
  const Fine f = fine(two_legs(1.3, 0.7));
  const TriangleMesh surface = tube(0.1, 0.95);
  const auto values = [&](int threads) {
    set_thread_count(threads);
    const LatticeEmbedding embedding = embed_in_lattice(f.lattice, f.tetrahedra, surface.positions, surface.triangles);
    return hierarchical_point_values(embedding.points, f.tetrahedra.mesh, f.lattice, 2);
  };
  const SparseRows one = values(1), three = values(3);
  set_thread_count(0);
  EXPECT_EQ(one.column, three.column);
  EXPECT_EQ(one.value, three.value);
}

// The short way gives what the whole basis gives.
TEST(PointValues, BasesNeedNotBeFormed) {
  const Fine f = fine(mixed_lattice(), SubdivisionScheme::mlca, 3);
  std::vector<Vec3> points(f.lattice.positions.begin(), f.lattice.positions.begin() + 50);
  for (Vec3& p : points) p += {0.01, -0.02, 0.005};
  const Embedding embedding = embed_in_lattice(f.lattice, f.tetrahedra, points).points;
  const auto expect_same = [](const SparseRows& a, const SparseRows& b) {
    ASSERT_EQ(a.columns, b.columns);
    std::vector<double> x(index(a.columns)), y(a.rows()), z(b.rows());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(3.0 * static_cast<double>(i));
    multiply(a, x, y);
    multiply(b, x, z);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], z[i], 1e-13);
  };
  const TetrahedralMesh& mesh = f.tetrahedra.mesh;
  for (int level : {0, 1, 2}) {
    expect_same(nodal_point_values(embedding, mesh, f.lattice, level),
                point_values(embedding, mesh, nodal_basis(f.lattice, level)));
    expect_same(hierarchical_point_values(embedding, mesh, f.lattice, level + 1),
                point_values(embedding, mesh, hierarchical_basis(f.lattice, level + 1)));
  }
}

}  // namespace
}  // namespace sinew::test
