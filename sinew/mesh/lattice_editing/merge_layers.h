// Merging neighbouring cells of a lattice: the inverse of split_edge().
#pragma once

#include <array>
#include <vector>

#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew {

// Merges the cells on both sides of vertex edges[1], which goes, in the direction from edges[0] to edges[2]: three
// vertices one after the other along two edges. All cells across that layer are merged in pairs, as far as their faces
// demand, so that what split_edge() made of one edge has the bytes of in_standard_form() again.
//
// Throws usage_error where the cells around the vertex are not such pairs, where a bone begins, ends or runs in the
// layer, and where a cell would fold or have a vertex with another number of edges than three.
LatticeEdit merge_layers(const ControlLattice& lattice, const std::array<int, 3>& edges);

// Merges two cells that share a face, and the others of their layers with them: tries merge_layers() for the edges that
// lead from one cell to the other through a corner of that face and turn by less than 40 degrees there. Throws
// usage_error with the reason for the first of these, if there are none, or if the cells share no face.
LatticeEdit merge_cells(const ControlLattice& lattice, int cell, int other);

}  // namespace sinew
