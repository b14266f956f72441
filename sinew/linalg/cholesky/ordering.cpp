#include "sinew/linalg/cholesky/ordering.h"

#include <metis.h>

#include <algorithm>
#include <mutex>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew::cholesky {
namespace {

using std::size_t;

// METIS keeps the state of its random numbers in globals.
std::mutex metis_mutex;

}  // namespace

Graph pattern_graph(const BlockMatrix& matrix) {
  if (matrix.rows < 0 || matrix.row_start.size() != index(matrix.rows) + 1 || matrix.row_start.front() != 0 ||
      index(matrix.row_start.back()) != matrix.column.size() ||
      !std::is_sorted(matrix.row_start.begin(), matrix.row_start.end()))
    throw usage_error("the block matrix to be factored has row starts that do not fit its columns");
  Graph graph;
  graph.start.assign(1, 0);
  graph.start.reserve(index(matrix.rows) + 1);
  graph.neighbour.reserve(matrix.column.size());
  for (int row = 0; row < matrix.rows; ++row) {
    int previous = -1;
    bool has_diagonal = false;
    for (size_t k = index(matrix.row_start[index(row)]); k < index(matrix.row_start[index(row) + 1]); ++k) {
      const int column = matrix.column[k];
      if (column <= previous || column >= matrix.rows)
        throw usage_error("block row " + std::to_string(row) +
                          " of the matrix to be factored has columns that do not ascend");
      previous = column;
      if (column == row)
        has_diagonal = true;
      else
        graph.neighbour.push_back(column);
    }
    if (!has_diagonal)
      throw usage_error("block row " + std::to_string(row) + " of the matrix to be factored lacks its diagonal block");
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = graph.start[index(row)]; k < graph.start[index(row) + 1]; ++k)
      if (find_block(matrix, graph.neighbour[index(k)], row) < 0)
        throw usage_error("the matrix to be factored has block (" + std::to_string(row) + ", " +
                          std::to_string(graph.neighbour[index(k)]) + ") but not its mirror image");
  return graph;
}

Graph permuted(const Graph& graph, const std::vector<int>& permutation) {
  const std::vector<int> position = inverse_permutation(permutation);
  Graph result;
  result.start.assign(1, 0);
  result.start.reserve(graph.start.size());
  result.neighbour.reserve(graph.neighbour.size());
  for (const int old : permutation) {
    for (int k = graph.start[index(old)]; k < graph.start[index(old) + 1]; ++k)
      result.neighbour.push_back(position[index(graph.neighbour[index(k)])]);
    std::sort(result.neighbour.begin() + result.start.back(), result.neighbour.end());
    result.start.push_back(static_cast<int>(result.neighbour.size()));
  }
  return result;
}

std::vector<int> nested_dissection(const Graph& graph) {
  // Vertices without neighbours cause no fill and go first; METIS sees only the others.
  std::vector<int> order, connected, compact(index(graph.size()), -1);
  for (int v = 0; v < graph.size(); ++v) {
    const bool isolated = graph.start[index(v)] == graph.start[index(v) + 1];
    if (!isolated) compact[index(v)] = static_cast<int>(connected.size());
    (isolated ? order : connected).push_back(v);
  }
  if (connected.empty()) return order;

  std::vector<idx_t> start(1, 0), neighbour;
  neighbour.reserve(graph.neighbour.size());
  for (const int v : connected) {
    for (int k = graph.start[index(v)]; k < graph.start[index(v) + 1]; ++k)
      neighbour.push_back(compact[index(graph.neighbour[index(k)])]);
    start.push_back(static_cast<idx_t>(neighbour.size()));
  }
  idx_t count = static_cast<idx_t>(connected.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> permutation(connected.size()), inverse(connected.size());
  {
    const std::lock_guard lock(metis_mutex);
    if (METIS_NodeND(&count, start.data(), neighbour.data(), nullptr, options, permutation.data(), inverse.data()) !=
        METIS_OK)
      throw simulation_error("METIS could not order a matrix of " + std::to_string(graph.size()) +
                             " block rows; there may be too little memory");
  }
  for (const idx_t v : permutation) order.push_back(connected[static_cast<size_t>(v)]);
  return order;
}

std::vector<int> elimination_tree(const Graph& graph) {
  std::vector<int> parent(index(graph.size()), -1), ancestor(index(graph.size()), -1);
  for (int row = 0; row < graph.size(); ++row)
    for (int k = graph.start[index(row)]; k < graph.start[index(row) + 1]; ++k) {
      // Climb from each earlier neighbour to its present root, shortening the path on the way.
      int node = graph.neighbour[index(k)];
      while (node >= 0 && node < row) {
        const int next = ancestor[index(node)];
        ancestor[index(node)] = row;
        if (next < 0) parent[index(node)] = row;
        node = next;
      }
    }
  return parent;
}

std::vector<int> postorder(const std::vector<int>& parent) {
  const size_t count = parent.size();
  std::vector<int> first_child(count, -1), next_sibling(count, -1), order, stack;
  std::vector<int> roots;
  for (size_t i = count; i-- > 0;) {
    if (parent[i] < 0) {
      roots.push_back(static_cast<int>(i));
      continue;
    }
    next_sibling[i] = first_child[index(parent[i])];
    first_child[index(parent[i])] = static_cast<int>(i);
  }
  order.reserve(count);
  for (size_t r = roots.size(); r-- > 0;) {
    stack.push_back(roots[r]);
    while (!stack.empty()) {
      const int node = stack.back();
      const int child = first_child[index(node)];
      if (child >= 0) {
        first_child[index(node)] = next_sibling[index(child)];
        stack.push_back(child);
      } else {
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
  return order;
}

std::vector<int> column_counts(const Graph& graph, const std::vector<int>& parent) {
  // Row i of the factor is the subtree of the elimination tree spanned by its earlier neighbours and i.
  std::vector<int> counts(index(graph.size()), 0), mark(index(graph.size()), -1);
  for (int row = 0; row < graph.size(); ++row) {
    mark[index(row)] = row;
    for (int k = graph.start[index(row)]; k < graph.start[index(row) + 1]; ++k)
      for (int node = graph.neighbour[index(k)]; node < row && mark[index(node)] != row; node = parent[index(node)]) {
        mark[index(node)] = row;
        ++counts[index(node)];
      }
  }
  return counts;
}

std::vector<int> inverse_permutation(const std::vector<int>& permutation) {
  std::vector<int> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[index(permutation[i])] = static_cast<int>(i);
  return inverse;
}

}  // namespace sinew::cholesky
