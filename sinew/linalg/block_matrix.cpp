#include "sinew/linalg/block_matrix.h"

#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/sparse_pattern.h"

namespace sinew {
namespace {

constexpr std::size_t block_matrix_row_grain = 1024;

BlockMatrix zero_blocks(int rows, SparsePattern pattern) {
  BlockMatrix matrix;
  matrix.rows = rows;
  matrix.row_start = std::move(pattern.row_start);
  matrix.column = std::move(pattern.column);
  matrix.block.assign(matrix.column.size(), Mat3::zero());
  return matrix;
}

}  // namespace

BlockMatrix block_pattern(int rows, std::span<const int> elements, int vertices_per_element) {
  return zero_blocks(rows, element_pattern(rows, elements, vertices_per_element));
}

BlockMatrix block_pattern(int rows, std::span<const int> elements, std::span<const int> start) {
  return zero_blocks(rows, element_pattern(rows, elements, start));
}

int find_block(const BlockMatrix& matrix, int row, int column) {
  return find_column(matrix.row_start, matrix.column, row, column);
}

void multiply(const BlockMatrix& matrix, std::span<const double> x, std::span<double> y) {
  const std::size_t rows = static_cast<std::size_t>(matrix.rows);
  if (x.size() != 3 * rows || y.size() != 3 * rows)
    throw usage_error("a matrix of " + std::to_string(rows) + " block rows multiplies vectors of " +
                      std::to_string(3 * rows) + " numbers, not " + std::to_string(x.size()));
  parallel_chunks(rows, block_matrix_row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      // One accumulator per block row and column: nine independent chains that the compiler packs.
      double sum[9] = {};
      const std::size_t last = static_cast<std::size_t>(matrix.row_start[row + 1]);
      for (std::size_t k = static_cast<std::size_t>(matrix.row_start[row]); k < last; ++k) {
        const double* m = matrix.block[k].m;
        const double* v = x.data() + 3 * static_cast<std::size_t>(matrix.column[k]);
        const double factor[9] = {v[0], v[1], v[2], v[0], v[1], v[2], v[0], v[1], v[2]};
        for (std::size_t i = 0; i < 9; ++i) sum[i] += m[i] * factor[i];
      }
      for (std::size_t i = 0; i < 3; ++i) y[3 * row + i] = sum[3 * i] + sum[3 * i + 1] + sum[3 * i + 2];
    }
  });
}

BlockMatrix principal_submatrix(const BlockMatrix& matrix, std::span<const int> keep, int kept_rows) {
  if (keep.size() != static_cast<std::size_t>(matrix.rows))
    throw usage_error("a principal submatrix needs one mark per block row: " + std::to_string(matrix.rows) + ", not " +
                      std::to_string(keep.size()));
  int next = 0;
  for (const int row : keep)
    if (row >= 0 && row != next++)
      throw usage_error("the kept block rows of a principal submatrix must be numbered 0, 1, 2, ... in order");
  if (next != kept_rows)
    throw usage_error(std::to_string(next) + " block rows are marked to be kept, but " + std::to_string(kept_rows) +
                      " are announced");

  BlockMatrix result;
  result.rows = kept_rows;
  result.row_start.reserve(static_cast<std::size_t>(kept_rows) + 1);
  result.row_start.push_back(0);
  for (std::size_t row = 0; row < keep.size(); ++row) {
    if (keep[row] < 0) continue;
    const std::size_t last = static_cast<std::size_t>(matrix.row_start[row + 1]);
    for (std::size_t k = static_cast<std::size_t>(matrix.row_start[row]); k < last; ++k) {
      const int column = keep[static_cast<std::size_t>(matrix.column[k])];
      if (column < 0) continue;
      result.column.push_back(column);
      result.block.push_back(matrix.block[k]);
    }
    result.row_start.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

}  // namespace sinew
