// Topology of a complex of polyhedral cells: each edge and face once, incidences, and the boundary. Indices must be
// valid. Faces with three cells, cells that do not close and the like are represented as they are (validity.h finds
// them).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/topology.h"

namespace sinew {

// Cells by their faces, as in ControlLattice. A face appears once for each of its cells; these occurrences are called
// sides: side s has the corners face_start[s] up to face_start[s + 1], and belongs to the cell whose range contains s.
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
// Sides of hexahedra whose corners are in the order of add_hexahedron().
CellSides sides_of(int vertices, std::span<const std::array<int, 8>> hexahedra);

// The complex with its incidences.
struct CellComplex {
  CellSides cells;

  std::vector<std::array<int, 2>> edges;  // smaller vertex first; ascending
  Rows faces;                             // corners, in the order of the face's first side
  Rows face_edges;                        // edge k joins corner k to corner k + 1
  Rows face_sides;                        // sides that are this face, ascending: one on the boundary, two inside
  std::vector<int> side_face;             // per side
  std::vector<int> side_cell;             // per side
  Rows cell_vertices;                     // in the order in which the cell's sides name them
  Rows vertex_edges;                      // edges of which this is the smaller vertex, as indices into `edges`

  // Marks of faces that have only one side, and of their edges and vertices.
  std::vector<char> boundary_face, boundary_edge, boundary_vertex;

  // The edge between two vertices, -1 if there is none.
  int edge_between(int a, int b) const;
};

CellComplex cell_complex(CellSides cells);

}  // namespace sinew
