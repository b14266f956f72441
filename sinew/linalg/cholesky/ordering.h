// Fill-reducing order of elimination and the elimination tree of a symmetric block pattern.
#pragma once

#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew::cholesky {

// A symmetric pattern without its diagonal: the neighbours of v are neighbour[start[v] .. start[v + 1]).
struct Graph {
  std::vector<int> start;
  std::vector<int> neighbour;
  int size() const { return static_cast<int>(start.size()) - 1; }
};

// Throws usage_error where the pattern is malformed or not symmetric.
Graph pattern_graph(const BlockMatrix& matrix);

// `graph` with its vertices renumbered: vertex v of the result is vertex permutation[v] of `graph`.
Graph permuted(const Graph& graph, const std::vector<int>& permutation);

// Nested dissection (METIS); element k is the vertex eliminated k-th. The order is the same in every run.
std::vector<int> nested_dissection(const Graph& graph);

// Parent of each column in the elimination tree of the factor, -1 for roots (Liu 1990, section 3.2).
std::vector<int> elimination_tree(const Graph& graph);

// Order with children before parents and each subtree contiguous; element k is the k-th node.
std::vector<int> postorder(const std::vector<int>& parent);

// Number of nonzero blocks below the diagonal in each column of the factor.
std::vector<int> column_counts(const Graph& graph, const std::vector<int>& parent);

std::vector<int> inverse_permutation(const std::vector<int>& permutation);

}  // namespace sinew::cholesky
