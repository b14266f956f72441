// Removing cells of a lattice by drawing edges together.
#pragma once

#include <array>

#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew {

// Draws an edge together to one vertex, and with it the opposite edge of each face with four corners, and so on: in
// hexahedra a whole layer of cells goes. Each group of vertices becomes one, at their mean; where some are on bones, at
// the mean of those. It keeps the smallest of their numbers among the rest.
//
// Throws usage_error where cells would be left with an edge that has no length, where parts would hang together in
// another way than before, and where a cell would fold.
LatticeEdit collapse_edge(const ControlLattice& lattice, const std::array<int, 2>& edge);

}  // namespace sinew
