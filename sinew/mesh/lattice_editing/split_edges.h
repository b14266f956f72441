// Splitting the cells of a lattice along an edge.
#pragma once

#include <array>

#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew {

// Splits an edge at its middle, and with it every edge that must be split so that cells stay conforming: the opposite
// edge of each face with four corners, and so on through the lattice. In hexahedra this splits a whole layer in two; a
// tetrahedron is halved through the edge's middle and the opposite edge, and a prism either way. Volume is conserved,
// vertices keep their numbers, and bones, creases and painted values go through the new vertices.
//
// Throws usage_error where the layer crosses itself, or would leave a cell in which a vertex has four edges.
LatticeEdit split_edge(const ControlLattice& lattice, const std::array<int, 2>& edge);

// Marks per edge of a complex those that are split, or collapsed, together with one.
std::vector<char> edges_across_layer(const CellComplex& complex, int edge);

// The longest edge of a cell, to be split.
std::array<int, 2> longest_edge_of_cell(const ControlLattice& lattice, int cell);

}  // namespace sinew
