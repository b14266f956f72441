// Choice of the cells that carry the vertices of a surface, where there are several candidates.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/control_lattice/cell_graph.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// `cells`: per point, the best cell for the point alone. Where cells within reach of a point are not joined by faces,
// the point is assigned to those that carry its neighbours on the surface (docs/control_lattices.md); the result has
// the new choice. `tree` is over the tetrahedra. Deterministic.
std::vector<int> choose_cells(const CellGraph& graph, const SubdividedLattice& lattice,
                              const LatticeTetrahedra& tetrahedra, const BoxTree& tree, std::span<const Vec3> points,
                              std::span<const Triangle> triangles, std::vector<int> cells);

// The point of a tetrahedron of positive volume that is nearest to p; p itself if it is inside.
struct NearestInTetrahedron {
  std::array<double, 4> weights{};  // barycentric, not negative except for rounding
  double distance = 0;
};
NearestInTetrahedron nearest_in_tetrahedron(const std::array<Vec3, 4>& corners, const Vec3& p);

}  // namespace sinew
