// Sparse matrices of numbers with one row per vertex, for scalar fields over bodies. Stiffness and mass are in
// block_matrix.h.
#pragma once

#include <span>
#include <vector>

namespace sinew {

// Compressed rows; columns ascend in each row and the diagonal is present in every row.
struct SparseMatrix {
  int rows = 0;
  std::vector<int> row_start;  // rows + 1
  std::vector<int> column;     // one per entry
  std::vector<double> value;   // one per entry
};

// The pattern that couples all vertices of each element (`vertices_per_element` consecutive indices of
// `elements`), plus the diagonal; all entries zero.
SparseMatrix sparse_matrix(int rows, std::span<const int> elements, int vertices_per_element);

// A reference to the entry at (row, column), which must be in the pattern.
double& entry(SparseMatrix& matrix, int row, int column);

std::vector<double> diagonal(const SparseMatrix& matrix);

// Product Y = A X for `width` vectors at once: X and Y have `width` numbers per row of A, row by row, so that A is read
// once for all of them. Rows are independent: the result does not depend on the number of threads.
void multiply(const SparseMatrix& matrix, std::span<const double> x, std::span<double> y, int width = 1);

}  // namespace sinew
