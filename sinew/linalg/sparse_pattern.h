// Sparsity pattern of a matrix over the vertices of a mesh: compressed rows, common to matrices of numbers and of
// blocks.
#pragma once

#include <span>
#include <vector>

namespace sinew {

// Compressed rows: the columns of row r are column[row_start[r] .. row_start[r + 1]), ascending.
struct SparsePattern {
  std::vector<int> row_start;  // rows + 1
  std::vector<int> column;
};

// Couples all vertices of each element (`vertices_per_element` consecutive indices of `elements`), and
// every vertex with itself. Throws usage_error for indices outside [0, rows).
SparsePattern element_pattern(int rows, std::span<const int> elements, int vertices_per_element);

// The pattern of elements of different sizes: element e covers elements[start[e] .. start[e + 1]).
SparsePattern element_pattern(int rows, std::span<const int> elements, std::span<const int> start);

// Index into column[] where `row` holds `wanted`, or -1 where it does not. Binary search.
int find_column(std::span<const int> row_start, std::span<const int> column, int row, int wanted);

}  // namespace sinew
