// Bodies of cells, and the surface of a solid.
#include "studies/reference/cell_lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sinew/base/error.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

double surface_volume(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : boundary_surface(mesh).triangles) {
    const auto p = [&](std::size_t c) { return mesh.positions[static_cast<std::size_t>(t[c])]; };
    sum += dot(cross(p(0), p(1)), p(2)) / 6;
  }
  return sum;
}

TEST(CellLattice, FillsItsCells) {
  const auto tetrahedra_of = [](CellDivision division) { return division == CellDivision::six ? 6u : 12u; };
  for (const CellDivision division : {CellDivision::centred, CellDivision::six}) {
    const CellLattice box = cell_lattice({3, 2, 4}, {0.5, 1, 0.25}, {}, division);
    EXPECT_EQ(box.mesh.tetrahedra.size(), 24 * tetrahedra_of(division));
    EXPECT_EQ(box.mesh.positions.size(), 4u * 3 * 5 + (division == CellDivision::six ? 0 : 24));
    const MeshQuality quality = measure_quality(box.mesh);
    EXPECT_GT(quality.smallest_volume, 0);
    EXPECT_NEAR(quality.total_volume, 24 * 0.125, 1e-12);
    EXPECT_NEAR(surface_volume(box.mesh), 24 * 0.125, 1e-12);  // closed, and turned outwards
    EXPECT_EQ(boundary_surface(box.mesh).triangles.size(), 2u * 2 * (3 * 2 + 2 * 4 + 3 * 4));
    EXPECT_EQ(box.mesh.positions[static_cast<std::size_t>(box.vertex(3, 1, 2))], (Vec3{1.5, 1, 0.5}));
  }
}

// An L of three cells: no vertex is left without a tetrahedron, and the surface is closed.
TEST(CellLattice, TakesAnyShape) {
  for (const CellDivision division : {CellDivision::centred, CellDivision::six}) {
    const CellLattice l = cell_lattice(
        {2, 2, 1}, {1, 1, 1}, [](int i, int j, int) { return i == 0 || j == 0; }, division);
    std::set<int> used;
    for (const Tetrahedron& t : l.mesh.tetrahedra) used.insert(t.begin(), t.end());
    EXPECT_EQ(used.size(), l.mesh.positions.size());
    EXPECT_EQ(l.vertex(2, 2, 0), -1);
    EXPECT_NEAR(measure_quality(l.mesh).total_volume, 3, 1e-12);
    EXPECT_NEAR(surface_volume(l.mesh), 3, 1e-12);
    const BoundarySurface surface = boundary_surface(l.mesh);
    const MeshEdges edges = mesh_edges({l.mesh.positions, surface.triangles});
    for (std::size_t e = 0; e < edges.vertices.size(); ++e) EXPECT_EQ(edges.triangles[e].size(), 2u);
    for (std::size_t k = 0; k < surface.triangles.size(); ++k) {
      const Tetrahedron& t = l.mesh.tetrahedra[static_cast<std::size_t>(surface.tetrahedron[k])];
      for (const int v : surface.triangles[k]) EXPECT_NE(std::find(t.begin(), t.end(), v), t.end());
    }
  }
}

TEST(CellLattice, RefusesWhatHasNoBody) {
  EXPECT_THROW(cell_lattice({0, 1, 1}, {1, 1, 1}), Error);
  EXPECT_THROW(cell_lattice({1, 1, 1}, {1, 0, 1}), Error);
  EXPECT_THROW(cell_lattice({2000, 2000, 2000}, {1, 1, 1}), Error);
  EXPECT_THROW(cell_lattice({2, 2, 2}, {1, 1, 1}, [](int, int, int) { return false; }), Error);
}

}  // namespace
}  // namespace sinew
