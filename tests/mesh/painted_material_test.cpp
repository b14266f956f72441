#include "sinew/mesh/control_lattice/painted_material.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/mesh/quality.h"
#include "tests/mesh/lattices.h"

namespace sinew::test {
namespace {

TEST(PaintedMaterial, IsEmptyWhereNothingButOneIsPainted) {
  ControlLattice lattice = mixed_lattice();
  lattice.damping.assign(lattice.positions.size(), 1.0);
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 1);
  const PaintedMaterial painted = painted_material(lattice, fine, cut_into_tetrahedra(fine));
  EXPECT_TRUE(painted.stiffness.empty());
  EXPECT_TRUE(painted.damping.empty());
  EXPECT_TRUE(painted.density.empty());
}

// In the interior of a regular grid MLCA reproduces linear functions at their places.
TEST(PaintedMaterial, LinearPaintIsLinear) {
  ControlLattice lattice = hexahedral_box(5, 5, 5);
  const auto paint = [](const Vec3& p) { return 3 + 0.5 * p.x - 0.2 * p.y + 0.1 * p.z; };
  for (const Vec3& p : lattice.positions) lattice.density.push_back(paint(p));
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 2);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
  const PaintedMaterial painted = painted_material(lattice, fine, tetrahedra);
  int compared = 0;
  for (std::size_t t = 0; t < painted.density.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(tetrahedra.mesh, t);
    const Vec3 c = (p[0] + p[1] + p[2] + p[3]) * 0.25;
    if (std::min({c.x, c.y, c.z, 5 - c.x, 5 - c.y, 5 - c.z}) < 2) continue;
    EXPECT_NEAR(painted.density[t], paint(c), 1e-12);
    ++compared;
  }
  EXPECT_EQ(compared, 4 * 4 * 4 * 6);
}

TEST(PaintedMaterial, StaysBetweenTheExtremes) {
  std::mt19937 random(1);
  for (ControlLattice lattice : {tetrahedral_box(2, 2, 2), prism_bar(3, 3), mixed_lattice()}) {
    for (std::size_t v = 0; v < lattice.positions.size(); ++v)
      lattice.stiffness.push_back(std::exp(std::uniform_real_distribution<>(-5, 5)(random)));
    const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 2);
    const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
    const PaintedMaterial painted = painted_material(lattice, fine, tetrahedra);
    const auto [low, high] = std::minmax_element(lattice.stiffness.begin(), lattice.stiffness.end());
    const auto [least, most] = std::minmax_element(painted.stiffness.begin(), painted.stiffness.end());
    EXPECT_GE(*least, *low);
    EXPECT_LE(*most, *high);
    EXPECT_LT(*least, *most);
  }
}

}  // namespace
}  // namespace sinew::test
