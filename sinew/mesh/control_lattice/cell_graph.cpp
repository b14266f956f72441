#include "sinew/mesh/control_lattice/cell_graph.h"
#include "sinew/base/index.h"

#include <algorithm>
#include <map>

namespace sinew {
CellGraph cell_graph(const SubdividedLattice& lattice) {
  // Vertices of the coarsest lattice keep their numbers, and are corners of the pieces of the surrounding cells.
  const int corners = lattice.vertices.at(0);
  const int cells = lattice.cell.empty() ? 0 : 1 + *std::max_element(lattice.cell.begin(), lattice.cell.end());
  std::vector<std::vector<int>> around(index(corners));
  for (std::size_t h = 0; h < lattice.hexahedra.size(); ++h)
    for (int v : lattice.hexahedra[h])
      if (v < corners && (around[index(v)].empty() || around[index(v)].back() != lattice.cell[h]))
        around[index(v)].push_back(lattice.cell[h]);
  std::vector<std::map<int, int>> shared(index(cells));  // vertices in common
  for (const std::vector<int>& set : around)
    for (int a : set)
      for (int b : set)
        if (a != b) ++shared[index(a)][b];
  CellGraph graph;
  for (const std::map<int, int>& others : shared) {
    for (const auto& [other, count] : others)
      if (count >= 3) graph.neighbours.items.push_back(other);
    graph.neighbours.offsets.push_back(static_cast<int>(graph.neighbours.items.size()));
  }

  // Edges of pieces are the lattice's edges divided by the levels.
  double length = 0;
  for (const std::array<int, 8>& h : lattice.hexahedra)
    length += distance(lattice.positions[index(h[0])], lattice.positions[index(h[1])]);
  const auto divided = static_cast<double>(std::size_t{1} << lattice.refine.size());
  if (!lattice.hexahedra.empty()) graph.mean_edge = divided * length / static_cast<double>(lattice.hexahedra.size());
  return graph;
}

int joined_groups(const CellGraph& graph, std::span<const int> cells, std::vector<int>& group) {
  group.assign(cells.size(), -1);
  int count = 0;
  std::vector<std::size_t> stack;
  for (std::size_t start = 0; start < cells.size(); ++start) {
    if (group[start] >= 0) continue;
    stack.assign(1, start);
    group[start] = count;
    while (!stack.empty()) {
      const int cell = cells[stack.back()];
      stack.pop_back();
      for (int other : graph.neighbours[index(cell)]) {
        const auto found = std::lower_bound(cells.begin(), cells.end(), other);
        if (found == cells.end() || *found != other) continue;
        const auto i = static_cast<std::size_t>(found - cells.begin());
        if (group[i] >= 0) continue;
        group[i] = count;
        stack.push_back(i);
      }
    }
    ++count;
  }
  return count;
}

}  // namespace sinew
