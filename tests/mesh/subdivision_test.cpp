#include "sinew/mesh/control_lattice/subdivision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "sinew/base/index.h"
#include "sinew/mesh/quality.h"
#include "tests/base/refusal.h"
#include "tests/mesh/lattices.h"
#include "tests/rounding.h"

namespace sinew::test {
namespace {

constexpr SubdivisionScheme schemes[] = {SubdivisionScheme::trilinear, SubdivisionScheme::maccracken_joy,
                                         SubdivisionScheme::mlca};

struct NamedLattice {
  const char* name;
  ControlLattice lattice;
  double volume;
};

std::vector<NamedLattice> lattices() {
  return {{"hexahedra", hexahedral_box(3, 2, 2), 12},
          {"tetrahedra", tetrahedral_box(2, 2, 1), 4},
          {"prisms", prism_bar(3, 5), volume_of_prism_bar(3, 5)},
          {"mixed", mixed_lattice(), volume_of_mixed_lattice},
          {"pentagonal prism", polygonal_prism(5), 2.5 * std::sin(2 * std::numbers::pi / 5)}};
}

std::vector<Vec3> control_positions(const SparseRows& basis, const std::vector<Vec3>& coefficients) {
  std::vector<Vec3> positions(basis.rows());
  multiply(basis, coefficients, positions);
  return positions;
}

double total_volume(const TetrahedralMesh& mesh) { return measure_quality(mesh).total_volume; }

TEST(Subdivision, BasesArePartitionsOfUnityAndReproduceLinearFunctions) {
  const Affine linear{{{0.3, -0.7, 0.2, 1.1, 0.4, -0.5, 0.6, 0.9, 0.8}}, {3, -2, 1}};
  for (const NamedLattice& n : lattices())
    for (SubdivisionScheme scheme : schemes) {
      const SubdividedLattice fine = subdivide(n.lattice, scheme, 3);
      for (int level = 0; level <= 3; ++level) {
        const SparseRows nodal = nodal_basis(fine, level);
        ASSERT_EQ(nodal.rows(), index(fine.vertices.back()));
        ASSERT_EQ(nodal.columns, fine.vertices[index(level)]);
        std::vector<double> ones(index(nodal.columns), 1.0), sums(nodal.rows());
        multiply(nodal, ones, sums);
        for (double sum : sums) ASSERT_NEAR(sum, 1, 1e-12) << n.name;
      }
      // Positions are a function of the basis as well, so that a map of the control positions is one of all.
      std::vector<Vec3> coefficients(n.lattice.positions);
      for (Vec3& p : coefficients) p = linear * p;
      const std::vector<Vec3> mapped = control_positions(nodal_basis(fine, 0), coefficients);
      for (std::size_t v = 0; v < mapped.size(); ++v)
        ASSERT_LT(norm(mapped[v] - linear * fine.positions[v]), 1e-12) << n.name;
    }
}

// The pieces fill the lattice, each with a positive volume, and share whole faces.
TEST(Subdivision, TetrahedraFillTheLatticeAndConform) {
  for (const NamedLattice& n : lattices()) {
    const SubdividedLattice fine = subdivide(n.lattice, SubdivisionScheme::trilinear, 2);
    const LatticeTetrahedra cut = cut_into_tetrahedra(fine);
    EXPECT_NEAR(total_volume(cut.mesh), n.volume, 1e-12 * n.volume) << n.name;
    EXPECT_GT(measure_quality(cut.mesh).smallest_volume, 0) << n.name;
    ASSERT_EQ(cut.hexahedron.size(), cut.mesh.tetrahedra.size());
    std::map<std::array<int, 3>, int> sides;
    for (const Tetrahedron& t : cut.mesh.tetrahedra)
      for (std::size_t k = 0; k < 4; ++k) {
        std::array<int, 3> face{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
        std::sort(face.begin(), face.end());
        ++sides[face];
      }
    // All faces of one side lie in the lattice's own boundary faces: their number is known from the coarse cells.
    std::size_t open = 0, expected = 0;
    for (const auto& [face, count] : sides) {
      EXPECT_LE(count, 2) << n.name;
      open += count == 1;
    }
    std::map<std::vector<int>, int> coarse;
    for (std::size_t f = 0; f < n.lattice.faces(); ++f) {
      std::vector<int> face(n.lattice.face(f).begin(), n.lattice.face(f).end());
      std::sort(face.begin(), face.end());
      ++coarse[face];
    }
    for (const auto& [face, count] : coarse) expected += count == 1 ? face.size() * 4 * 2 : 0;
    EXPECT_EQ(open, expected) << n.name;
  }
}

TEST(Subdivision, PiecesOfACellAddUpToIt) {
  const ControlLattice lattice = mixed_lattice();
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, 3);
  const LatticeTetrahedra cut = cut_into_tetrahedra(fine);
  std::vector<double> volumes(lattice.cells(), 0.0);
  for (std::size_t t = 0; t < cut.mesh.tetrahedra.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(cut.mesh, t);
    volumes[index(fine.cell[index(cut.hexahedron[t])])] += volume(p[0], p[1], p[2], p[3]);
  }
  // Sums over the pieces, each of a determinant of edges whose ends are rounded too.
  const double rounding = test::rounding_of(1, static_cast<double>(cut.mesh.tetrahedra.size()) + 30);
  EXPECT_NEAR(volumes[0], 1, rounding);
  EXPECT_NEAR(volumes[1], 0.5, rounding);
  EXPECT_NEAR(volumes[2], 0.5, rounding);
  EXPECT_NEAR(volumes[3], 1.0 / 6, rounding);
}

TEST(Subdivision, TrilinearFunctionsAreReproducedOnACube) {
  // f is trilinear, so its control values at the corners give its values everywhere.
  const auto f = [](const Vec3& p) {
    return 1 + p.x - 2 * p.y + 3 * p.z + p.x * p.y - 4 * p.y * p.z + 5 * p.x * p.z - 7 * p.x * p.y * p.z;
  };
  const ControlLattice cube = hexahedral_box(1, 1, 1);
  const SubdividedLattice fine = subdivide(cube, SubdivisionScheme::trilinear, 3);
  std::vector<double> control, values(index(fine.vertices.back()));
  for (const Vec3& p : cube.positions) control.push_back(f(p));
  multiply(nodal_basis(fine, 0), control, values);
  for (std::size_t v = 0; v < values.size(); ++v) EXPECT_NEAR(values[v], f(fine.positions[v]), 1e-13);
}

// Vertex i is vertex i of every finer complex, in the order vertices, edges, faces, cells.
TEST(Subdivision, VerticesAreNested) {
  const ControlLattice cube = hexahedral_box(1, 1, 1);
  const SubdividedLattice fine = subdivide(cube, SubdivisionScheme::trilinear, 2);
  EXPECT_EQ(fine.vertices, (std::vector<int>{8, 8 + 12 + 6 + 1, 125}));
  for (std::size_t v = 0; v < 8; ++v) EXPECT_EQ(fine.positions[v], cube.positions[v]);
  const auto halves = [](const Vec3& p) {
    int count = 0;
    for (std::size_t c = 0; c < 3; ++c) count += std::abs(p[c] - 0.5) < 1e-15;
    return count;
  };
  for (std::size_t v = 8; v < 27; ++v) EXPECT_EQ(halves(fine.positions[v]), v < 20 ? 1 : v < 26 ? 2 : 3);
}

// At its own level each function is 1 at its vertex; functions of the trilinear scheme that are born later are 0 at all
// older vertices.
TEST(Subdivision, HierarchicalBasisSpansWhatTheNodalBasisSpans) {
  for (const NamedLattice& n : lattices())
    for (SubdivisionScheme scheme : schemes) {
      const SubdividedLattice fine = subdivide(n.lattice, scheme, 3);
      const SparseRows hierarchical = hierarchical_basis(fine, 3);
      ASSERT_EQ(hierarchical.columns, fine.vertices[2]);
      ASSERT_EQ(hierarchical.rows(), index(fine.vertices[3]));
      if (scheme == SubdivisionScheme::trilinear)
        for (int row = 0; row < fine.vertices[2]; ++row) {
          const int last = hierarchical.start[index(row) + 1] - 1;
          EXPECT_EQ(hierarchical.column[index(last)], row);
          EXPECT_EQ(hierarchical.value[index(last)], 1);
        }
      // Any function of the hierarchical basis, taken level by level, is a function of the nodal basis.
      std::mt19937 random(7);
      std::vector<double> coefficients(index(fine.vertices[2]));
      for (double& c : coefficients) c = std::uniform_real_distribution<>(-1, 1)(random);
      std::vector<double> nodal(coefficients.begin(), coefficients.begin() + fine.vertices[0]);
      for (std::size_t k = 0; k < 2; ++k) {
        std::vector<double> next(index(fine.vertices[k + 1]));
        multiply(fine.refine[k], nodal, next);
        for (auto v = index(fine.vertices[k]); v < next.size(); ++v) next[v] += coefficients[v];
        nodal = next;
      }
      std::vector<double> a(index(fine.vertices[3])), b(a);
      multiply(hierarchical, coefficients, a);
      multiply(nodal_basis(fine, 2), nodal, b);
      for (std::size_t v = 0; v < a.size(); ++v) ASSERT_NEAR(a[v], b[v], 1e-13) << n.name;
    }
}

TEST(Subdivision, BonesAreChainsAlongTheirEdges) {
  const ControlLattice bar = prism_bar(3, 6);
  for (SubdivisionScheme scheme : schemes) {
    const SubdividedLattice fine = subdivide(bar, scheme, 3);
    ASSERT_EQ(fine.bones.size(), 1u);
    const std::vector<int>& chain = fine.bones[0];
    ASSERT_EQ(chain.size(), 3u * 8 + 1);
    for (std::size_t k = 0; k < chain.size(); ++k)
      EXPECT_LT(norm(fine.positions[index(chain[k])] - Vec3{double(k) / 8, 0, 0}), 1e-14);
  }
}

TEST(Subdivision, RefusesWhatDoesNotBecomeHexahedra) {
  ControlLattice pyramid;
  pyramid.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}};
  add_polyhedron(pyramid, {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}});
  const auto refused = [](const ControlLattice& lattice) {
    return refusal(ErrorKind::input, [&] { subdivide(lattice, SubdivisionScheme::trilinear, 1); });
  };
  EXPECT_NE(refused(pyramid).find("cell 0 of the lattice has 4 faces at vertex 4"), std::string::npos);

  ControlLattice turned = hexahedral_box(2, 1, 1);
  std::reverse(turned.corner.begin() + 24, turned.corner.begin() + 28);
  EXPECT_NE(refused(turned).find("cell 1 of the lattice: its faces do not close"), std::string::npos);

  ControlLattice bad = hexahedral_box(1, 1, 1);
  bad.corner[5] = 8;
  EXPECT_NE(refused(bad).find("names vertex 8"), std::string::npos);

  ControlLattice boned = hexahedral_box(1, 1, 1);
  boned.bones = {{"arm", {0, 7}}};
  EXPECT_NE(refused(boned).find("bone \"arm\""), std::string::npos);
}

}  // namespace
}  // namespace sinew::test
