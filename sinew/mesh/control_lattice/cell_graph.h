// Adjacency of the cells of a lattice through faces.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/topology.h"

namespace sinew {

struct CellGraph {
  Rows neighbours;       // per cell, the cells that share a face (three vertices or more) with it, ascending
  double mean_edge = 0;  // mean edge length of the coarsest lattice, metres
};
CellGraph cell_graph(const SubdividedLattice& lattice);

// Connected groups of `cells` (ascending): per cell its group, numbered in the order of their first cell. Cells are
// connected through faces of cells in the list. Returns the number of groups.
int joined_groups(const CellGraph& graph, std::span<const int> cells, std::vector<int>& group);

}  // namespace sinew
