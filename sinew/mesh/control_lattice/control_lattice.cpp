#include "sinew/mesh/control_lattice/control_lattice.h"

#include <cstddef>

#include "sinew/mesh/control_lattice/cell_shapes.h"

namespace sinew {
namespace {

template <class Faces, class Corners>
void add_faces(ControlLattice& lattice, const Faces& faces, const Corners& corners) {
  for (const auto& face : faces) {
    for (int k : face) lattice.corner.push_back(corners[static_cast<std::size_t>(k)]);
    lattice.face_start.push_back(static_cast<int>(lattice.corner.size()));
  }
}

void end_cell(ControlLattice& lattice) { lattice.cell_start.push_back(static_cast<int>(lattice.faces())); }

}  // namespace

void add_tetrahedron(ControlLattice& lattice, const std::array<int, 4>& corners) {
  add_faces(lattice, tetrahedron_faces, corners);
  end_cell(lattice);
}

void add_prism(ControlLattice& lattice, const std::array<int, 6>& corners) {
  add_faces(lattice, prism_triangles, corners);
  add_faces(lattice, prism_quadrilaterals, corners);
  end_cell(lattice);
}

void add_hexahedron(ControlLattice& lattice, const std::array<int, 8>& corners) {
  add_faces(lattice, hexahedron_faces, corners);
  end_cell(lattice);
}

void add_polyhedron(ControlLattice& lattice, const std::vector<std::vector<int>>& faces) {
  for (const std::vector<int>& face : faces) {
    lattice.corner.insert(lattice.corner.end(), face.begin(), face.end());
    lattice.face_start.push_back(static_cast<int>(lattice.corner.size()));
  }
  end_cell(lattice);
}

}  // namespace sinew
