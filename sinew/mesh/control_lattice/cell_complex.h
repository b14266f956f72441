// Who touches whom in a complex of polyhedral cells: edges and faces each once, what bounds what, and what lies on the
// boundary of the whole. Indices are taken as valid; faces with three cells, cells that do not close and the like are
// represented as they are (validity.h finds them).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/topology.h"

namespace sinew {

// Cells by their faces, as in ControlLattice. A face stands here once with each cell that has it; these are called
// sides: side s has corners face_start[s] up to face_start[s + 1], and belongs to the cell whose range holds s.
struct CellSides {
  int vertices = 0;
  std::vector<int> cell_start{0};
  std::vector<int> face_start{0};
  std::vector<int> corner;

  std::size_t cells() const { return cell_start.size() - 1; }
  std::size_t sides() const { return face_start.size() - 1; }
  std::span<const int> side(std::size_t s) const {
    const auto first = static_cast<std::size_t>(face_start[s]), last = static_cast<std::size_t>(face_start[s + 1]);
    return {corner.data() + first, last - first};
  }
};

CellSides sides_of(const ControlLattice& lattice);
// Corners in the order of add_hexahedron().
CellSides sides_of(int vertices, std::span<const std::array<int, 8>> hexahedra);

struct CellComplex {
  CellSides cells;

  std::vector<std::array<int, 2>> edges;  // smaller vertex first; ascending
  Rows faces;                             // corners, as the first of its sides has them
  Rows face_edges;                        // edge k joins corner k to corner k + 1
  Rows face_sides;                        // sides that are this face, ascending: one on the boundary, two inside
  std::vector<int> side_face;             // per side
  std::vector<int> side_cell;             // per side
  Rows cell_vertices;                     // in the order in which the cell's sides name them
  Rows vertex_edges;                      // edges whose smaller vertex this is, as indices into `edges`

  // Parts of faces that have one side only.
  std::vector<char> boundary_face, boundary_edge, boundary_vertex;

  // The edge between two vertices, -1 if there is none.
  int edge_between(int a, int b) const;
};

CellComplex cell_complex(CellSides cells);

}  // namespace sinew
