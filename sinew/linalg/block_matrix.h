// Symmetric sparse matrices of 3x3 blocks, one block row per vertex: stiffness and mass of bodies.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Block compressed rows. Both triangles are stored; columns ascend in each row and the diagonal
// block is present in every row.
struct BlockMatrix {
  int rows = 0;
  std::vector<int> row_start;  // rows + 1
  std::vector<int> column;     // one per block
  std::vector<Mat3> block;     // one per block
};

// The pattern that couples all vertices of each element (`vertices_per_element` consecutive indices
// of `elements`), plus the diagonal; all blocks zero.
BlockMatrix block_pattern(int rows, std::span<const int> elements, int vertices_per_element);

// The pattern of elements of different sizes: element e covers elements[start[e] .. start[e + 1]).
BlockMatrix block_pattern(int rows, std::span<const int> elements, std::span<const int> start);

// Index into block[] of (row, column), or -1 where the pattern has none. Binary search.
int find_block(const BlockMatrix& matrix, int row, int column);

// Product y = A x; x and y have 3 * rows numbers. Rows are independent, so the result does not depend on
// the number of threads.
void multiply(const BlockMatrix& matrix, std::span<const double> x, std::span<double> y);

// The principal submatrix of the rows with keep[i] >= 0, renumbered to keep[i] (ascending with i).
BlockMatrix principal_submatrix(const BlockMatrix& matrix, std::span<const int> keep, int kept_rows);

}  // namespace sinew
