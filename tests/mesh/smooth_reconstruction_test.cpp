#include "sinew/mesh/control_lattice/smooth_reconstruction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"
#include "tests/mesh/lattices.h"
#include "tests/rounding.h"

namespace sinew::test {
namespace {

std::vector<Vec3> points_in(double x, double y, double z, int count) {
  std::mt19937 random(4);
  std::uniform_real_distribution<> at(0, 1);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back({x * at(random), y * at(random), z * at(random)});
  return points;
}

// Coefficients of positions in the hierarchical basis: detail is zero.
std::vector<Vec3> coefficients(const ControlLattice& lattice, int functions) {
  std::vector<Vec3> result = lattice.positions;
  result.resize(index(functions));
  return result;
}

TEST(SmoothReconstruction, RestIsExactAndAffineMotionsAreReproduced) {
  Affine motion;
  motion.linear = to_matrix(axis_angle(normalized(Vec3{1, 2, -1}), 2.4));
  motion.translation = {5, -3, 2};
  Affine shear = motion;
  shear.linear(0, 1) += 0.7;
  // Points fill the whole lattice, so that many lie outside of MLCA's parameterisation, which is smaller.
  const std::vector<Vec3> points = points_in(3, 2, 2, 300);
  for (ControlLattice lattice : {hexahedral_box(3, 2, 2), tetrahedral_box(3, 2, 2)})
    for (int levels : {1, 2}) {
      lattice.bones = {{"bone", {5, 6}}};
      const SmoothReconstruction smooth = smooth_reconstruction(lattice, levels, points, {}, 0, 2);
      EXPECT_GT(smooth.outside.size(), levels == 1 ? 30u : 10u);
      const std::vector<Vec3> rest = coefficients(lattice, smooth.rows.columns);
      std::vector<Vec3> result(points.size());
      multiply(smooth.rows, rest, result);
      for (std::size_t i = 0; i < points.size(); ++i) ASSERT_LT(norm(result[i] - points[i]), 1e-12);
      for (const Affine& map : {motion, shear}) {
        std::vector<Vec3> posed = rest, displacement = rest, displaced(points.size());
        for (std::size_t f = 0; f < lattice.positions.size(); ++f) {
          posed[f] = map * rest[f];
          displacement[f] = posed[f] - rest[f];
        }
        multiply(smooth.rows, posed, result);
        multiply(smooth.rows, displacement, displaced);
        for (std::size_t i = 0; i < points.size(); ++i) {
          ASSERT_LT(norm(result[i] - map * points[i]), 1e-12);
          ASSERT_LT(norm(points[i] + displaced[i] - map * points[i]), 1e-12);
        }
      }
    }
}

// At the corner of a box, where MLCA's map is flat, no weight grows large.
TEST(SmoothReconstruction, WeightsAreBounded) {
  const std::vector<Vec3> points = points_in(3, 2, 2, 1000);
  for (const ControlLattice& lattice : {hexahedral_box(3, 2, 2), tetrahedral_box(3, 2, 2)}) {
    const SparseRows rows = smooth_reconstruction(lattice, 1, points).rows;
    double largest = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      double sum = 0;
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k) sum += std::abs(rows.value[index(k)]);
      largest = std::max(largest, sum);
    }
    EXPECT_LT(largest, 3);
  }
}

// Detail of finer levels enters as MLCA's control values at its level.
TEST(SmoothReconstruction, DetailIsControlValuesOfItsLevel) {
  const ControlLattice lattice = hexahedral_box(2, 2, 2);
  std::vector<Vec3> points = points_in(1.2, 1.2, 1.2, 50);
  for (Vec3& p : points) p += {0.4, 0.4, 0.4};  // inside of MLCA's parameterisation
  const SmoothReconstruction smooth = smooth_reconstruction(lattice, 2, points, {}, 0, 2);
  EXPECT_TRUE(smooth.outside.empty());
  std::mt19937 random(9);
  std::vector<double> detail(index(smooth.rows.columns)), values(points.size()), expected(points.size());
  for (double& d : detail) d = std::uniform_real_distribution<>(-1, 1)(random);
  multiply(smooth.rows, detail, values);

  // By hand: the trilinear solution at the vertices of K_1, then MLCA on that lattice.
  const SparseRows refine = subdivide(lattice, SubdivisionScheme::trilinear, 1).refine[0];
  std::vector<double> control(refine.rows());
  multiply(refine, std::vector<double>(detail.begin(), detail.begin() + refine.columns), control);
  for (auto v = index(refine.columns); v < control.size(); ++v) control[v] += detail[v];
  const SubdividedLattice fine = subdivide(refined_lattice(lattice, 1), SubdivisionScheme::mlca, 2);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
  const Embedding embedding = embed_in_lattice(fine, tetrahedra, points).points;
  multiply(point_values(embedding, tetrahedra.mesh, nodal_basis(fine, 0)), control, expected);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12);
}

// A bar that bends by 30 degrees at each section: along a line through it, the trilinear motion turns suddenly at the
// sections, the smooth one bit by bit.
TEST(SmoothReconstruction, CreasesVanish) {
  const ControlLattice bar = hexahedral_box(6, 2, 2);
  std::vector<Vec3> line;
  constexpr int pieces = 240;
  for (int i = 0; i <= pieces; ++i) line.push_back({1 + 4.0 * i / pieces, 0.8, 1.1});
  std::vector<Vec3> posed = bar.positions;
  for (Vec3& p : posed) {
    Vec3 joint;
    double angle = 0;
    for (int section = 0; section < static_cast<int>(std::lround(p.x)); ++section) {
      angle += 0.5;
      joint += Vec3{std::cos(angle), std::sin(angle), 0};
    }
    p = joint + (p.y - 1) * Vec3{-std::sin(angle), std::cos(angle), 0} + Vec3{0, 0, p.z};
  }
  const auto sharpest_turn = [&](const SparseRows& rows) {
    std::vector<Vec3> curve(line.size());
    multiply(rows, posed, curve);
    double largest = 0;
    for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
      const Vec3 a = curve[i] - curve[i - 1], b = curve[i + 1] - curve[i];
      largest = std::max(largest, std::atan2(norm(cross(a, b)), dot(a, b)));
    }
    return largest;
  };
  const SubdividedLattice fine = subdivide(bar, SubdivisionScheme::trilinear, 3);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
  const double creased =
      sharpest_turn(nodal_point_values(embed_in_lattice(fine, tetrahedra, line).points, tetrahedra.mesh, fine, 0));
  const SmoothReconstruction smooth = smooth_reconstruction(bar, 1, line, {}, 0, 4);
  EXPECT_TRUE(smooth.outside.empty());
  const double smoothed = sharpest_turn(smooth.rows);
  EXPECT_GT(creased, 0.3);
  EXPECT_LT(smoothed, creased / 8);
}

TEST(SmoothReconstruction, RefinedLatticesKeepBonesCreasesAndPaint) {
  ControlLattice lattice = mixed_lattice();
  lattice.bones = {{"a", {0, 1, 2}}};
  lattice.sharp_edges = {{3, 4}};
  lattice.sharp_vertices = {9};
  lattice.stiffness.assign(lattice.positions.size(), 2);
  lattice.stiffness[0] = 4;
  const ControlLattice refined = refined_lattice(lattice, 2);
  EXPECT_FALSE(structural_defects(refined).any());
  EXPECT_EQ(refined.cells(), 8u * 8 + 2 * 6 * 8 + 4 * 8);
  EXPECT_EQ(refined.bones[0].vertices.size(), 9u);
  EXPECT_EQ(refined.sharp_edges.size(), 4u);
  EXPECT_EQ(refined.sharp_edges.front()[0], 3);
  EXPECT_EQ(refined.sharp_edges.back()[1], 4);
  EXPECT_EQ(refined.sharp_vertices, (std::vector<int>{9}));
  ASSERT_EQ(refined.stiffness.size(), refined.positions.size());
  EXPECT_EQ(refined.stiffness[0], 4);
  // A mean of means over edges and cells, of at most 4.
  EXPECT_NEAR(refined.stiffness[index(refined.bones[0].vertices[1])], 3.5, test::rounding_of(4, 8));
}

}  // namespace
}  // namespace sinew::test
