// Plain cells (tetrahedra, prisms, hexahedra): their faces, counter-clockwise seen from outside, and recognition of the
// plain cells of a lattice. Corners are numbered as in control_lattice.h.
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

// The shape of a cell and its corners.
struct PlainCell {
  CellShape shape = CellShape::polyhedron;
  std::vector<int> corners;  // in the order of add_tetrahedron() and so on; empty for other polyhedra
};

// Recognises the shape of a cell. Cells made by add_tetrahedron(), add_prism() and add_hexahedron() have their corners
// in the original order.
PlainCell plain_cell(const ControlLattice& lattice, std::size_t cell);

// Reverses faces where needed, so that those of each closed cell are counter-clockwise seen from outside and its volume
// is positive. Cells that do not close stay unchanged.
void orient_cells(ControlLattice& lattice);

}  // namespace sinew
