#include <algorithm>
#include <cstddef>

#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Each quadrilateral is divided along the diagonal from its corner with the smallest number. Each hexahedron is divided
// into the cones from its corner with the smallest number over the three opposite faces, which also divides the faces
// at that corner by the same rule. In a subdivided lattice that corner is the one vertex of the coarser complex, and
// the cell's own vertex is opposite: this is Kuhn's triangulation along their diagonal.
LatticeTetrahedra cut_into_tetrahedra(const SubdividedLattice& lattice) {
  LatticeTetrahedra cut;
  cut.mesh.positions = lattice.positions;
  cut.mesh.tetrahedra.reserve(6 * lattice.hexahedra.size());
  cut.hexahedron.reserve(6 * lattice.hexahedra.size());
  for (std::size_t h = 0; h < lattice.hexahedra.size(); ++h) {
    const std::array<int, 8>& hexahedron = lattice.hexahedra[h];
    const int apex = *std::min_element(hexahedron.begin(), hexahedron.end());
    for (const std::array<int, 4>& face : hexahedron_faces) {
      std::array<int, 4> corners;
      for (std::size_t k = 0; k < 4; ++k) corners[k] = hexahedron[static_cast<std::size_t>(face[k])];
      if (std::find(corners.begin(), corners.end(), apex) != corners.end()) continue;
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      cut.mesh.tetrahedra.push_back({apex, corners[0], corners[1], corners[2]});
      cut.mesh.tetrahedra.push_back({apex, corners[0], corners[2], corners[3]});
      cut.hexahedron.insert(cut.hexahedron.end(), 2, static_cast<int>(h));
    }
  }
  return cut;
}

}  // namespace sinew
