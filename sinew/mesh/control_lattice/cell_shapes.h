// The plain cells: their faces, counter-clockwise seen from outside, and which cells of a lattice are plain. Corners
// are numbered as in control_lattice.h.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

inline constexpr std::array<std::array<int, 3>, 4> tetrahedron_faces{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

inline constexpr std::array<std::array<int, 3>, 2> prism_triangles{{{0, 1, 2}, {3, 5, 4}}};
inline constexpr std::array<std::array<int, 4>, 3> prism_quadrilaterals{{{1, 0, 3, 4}, {2, 1, 4, 5}, {0, 2, 5, 3}}};

inline constexpr std::array<std::array<int, 4>, 6> hexahedron_faces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

enum class CellShape { tetrahedron, prism, hexahedron, polyhedron };

struct PlainCell {
  CellShape shape = CellShape::polyhedron;
  std::vector<int> corners;  // in the order of add_tetrahedron() and so on; none for other polyhedra
};

// What add_tetrahedron(), add_prism() and add_hexahedron() made comes back with its corners in the same order.
PlainCell plain_cell(const ControlLattice& lattice, std::size_t cell);

// Turns the faces of each cell to be counter-clockwise seen from outside, where they close: those of one cell alike,
// and so that its volume is positive. What does not close stays as it is.
void orient_cells(ControlLattice& lattice);

}  // namespace sinew
