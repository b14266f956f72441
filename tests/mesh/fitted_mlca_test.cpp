#include "sinew/mesh/control_lattice/fitted_mlca.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/base/index.h"
#include "tests/mesh/lattices.h"

namespace sinew::test {
namespace {

TEST(FittedMlca, ReproducesPositionsOfTheTrilinearParameterisation) {
  std::mt19937 random(6);
  std::uniform_real_distribution<> noise(-0.2, 0.2);
  for (ControlLattice lattice : {hexahedral_box(2, 2, 2), tetrahedral_box(2, 1, 1), prism_bar(2, 5), mixed_lattice()}) {
    for (Vec3& p : lattice.positions) p += {noise(random), noise(random), noise(random)};
    const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 2);
    for (int levels : {1, 2}) {
      const SparseRows basis = fitted_mlca_basis(lattice, fine, levels);
      ASSERT_EQ(basis.columns, fine.vertices[index(levels - 1)]);
      std::vector<Vec3> rest = lattice.positions, at(fine.positions.size());
      rest.resize(index(basis.columns));
      multiply(basis, rest, at);
      std::vector<double> ones(lattice.positions.size(), 1.0), sums(at.size());
      ones.resize(index(basis.columns), 0.0);
      multiply(basis, ones, sums);
      for (std::size_t v = 0; v < at.size(); ++v) {
        ASSERT_LT(norm(at[v] - fine.positions[v]), 1e-12);
        ASSERT_NEAR(sums[v], 1, 1e-12);
      }
    }
  }
}

TEST(FittedMlca, IsMlcaInRegularGridsAndLinearOnBones) {
  ControlLattice lattice = hexahedral_box(5, 5, 5);
  lattice.bones = {{"bone", {2 + 6 * (2 + 6 * 0), 2 + 6 * (2 + 6 * 1)}}};
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 2);
  const SparseRows fitted = fitted_mlca_basis(lattice, fine, 1);
  const SparseRows mlca = nodal_basis(subdivide(lattice, SubdivisionScheme::mlca, 2), 0);
  int compared = 0;
  for (std::size_t v = 0; v < fine.positions.size(); ++v) {
    const Vec3 p = fine.positions[v];
    if (std::min({p.x, p.y, p.z - 1, 5 - p.x, 5 - p.y, 5 - p.z}) < 2) continue;
    ASSERT_EQ(fitted.start[v + 1] - fitted.start[v], mlca.start[v + 1] - mlca.start[v]);
    for (int k = 0; k < fitted.start[v + 1] - fitted.start[v]; ++k)
      EXPECT_EQ(fitted.value[index(fitted.start[v] + k)], mlca.value[index(mlca.start[v] + k)]);
    ++compared;
  }
  EXPECT_GT(compared, 0);
  const std::vector<int>& chain = fine.bones[0];
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const auto row = index(chain[k]);
    for (int e = fitted.start[row]; e < fitted.start[row + 1]; ++e) {
      const double t = static_cast<double>(k) / static_cast<double>(chain.size() - 1);
      const int column = fitted.column[index(e)];
      EXPECT_EQ(fitted.value[index(e)], column == chain.front() ? 1 - t : column == chain.back() ? t : 0);
    }
  }
}

}  // namespace
}  // namespace sinew::test
