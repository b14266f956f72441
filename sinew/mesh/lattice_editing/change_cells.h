// Adding cells to a lattice and deleting them.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew {

// Adds a cell on each of these free faces, which are given by their corners: its opposite face lies `height` metres
// further out, along the mean normal of the faces at each corner. Cells on faces that share an edge are joined. With
// `apex`, a triangle gets a tetrahedron, whose fourth vertex is over its middle.
//
// Throws usage_error for faces that are not free, for a height that is not positive, and where a cell would fold.
LatticeEdit add_cells(const ControlLattice& lattice, std::span<const std::vector<int>> faces, double height,
                      bool apex = false);

// Fills the space between two free faces with the same number of corners: with a prism or a tetrahedron if they share
// an edge, and with a cell that has them as ends if they share no vertex. No vertex is added.
LatticeEdit add_cell_between(const ControlLattice& lattice, const std::vector<int>& face,
                             const std::vector<int>& other);

// Deletes cells, vertices that no cell has then, and what of bones and creases was along edges that are gone. Throws
// usage_error if no cell would be left.
LatticeEdit delete_cells(const ControlLattice& lattice, std::span<const int> cells);

// The mean length of a face's edges, metres: a height for cells on it.
double mean_edge_length(const ControlLattice& lattice, std::span<const int> face);

}  // namespace sinew
