// Which cells of a lattice are joined by faces.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/topology.h"

namespace sinew {

struct CellGraph {
  Rows neighbours;       // per cell, those that share a face (three vertices or more) with it, ascending
  double mean_edge = 0;  // of the coarsest lattice, metres
};
CellGraph cell_graph(const SubdividedLattice& lattice);

// Groups of `cells`, which ascend, that are joined by faces among themselves: per cell its group, numbered in order of
// their first cell. Returns how many there are.
int joined_groups(const CellGraph& graph, std::span<const int> cells, std::vector<int>& group);

}  // namespace sinew
