#include "sinew/linalg/sparse_matrix.h"

#include <cstddef>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/sparse_pattern.h"

namespace sinew {
namespace {

constexpr std::size_t sparse_matrix_row_grain = 1024;
constexpr std::size_t lanes = 8;  // vectors whose sums are held in registers together

// y_row = sum_k a_k x_column(k) for `count` <= lanes of the vectors. With `count` known to the compiler the
// sums stay in registers.
template <std::size_t count>
void multiply_row(const SparseMatrix& matrix, std::size_t row, const double* x, double* y, std::size_t width) {
  double sum[count] = {};
  const auto last = static_cast<std::size_t>(matrix.row_start[row + 1]);
  for (auto k = static_cast<std::size_t>(matrix.row_start[row]); k < last; ++k) {
    const double* from = x + width * static_cast<std::size_t>(matrix.column[k]);
    for (std::size_t c = 0; c < count; ++c) sum[c] += matrix.value[k] * from[c];
  }
  for (std::size_t c = 0; c < count; ++c) y[width * row + c] = sum[c];
}

}  // namespace

SparseMatrix sparse_matrix(int rows, std::span<const int> elements, int vertices_per_element) {
  SparsePattern pattern = element_pattern(rows, elements, vertices_per_element);
  SparseMatrix matrix{rows, std::move(pattern.row_start), std::move(pattern.column), {}};
  matrix.value.assign(matrix.column.size(), 0.0);
  return matrix;
}

double& entry(SparseMatrix& matrix, int row, int column) {
  return matrix.value[static_cast<std::size_t>(find_column(matrix.row_start, matrix.column, row, column))];
}

std::vector<double> diagonal(const SparseMatrix& matrix) {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(matrix.rows));
  for (int row = 0; row < matrix.rows; ++row)
    result.push_back(matrix.value[static_cast<std::size_t>(find_column(matrix.row_start, matrix.column, row, row))]);
  return result;
}

void multiply(const SparseMatrix& matrix, std::span<const double> x, std::span<double> y, int width) {
  const auto rows = static_cast<std::size_t>(matrix.rows), columns = static_cast<std::size_t>(width);
  if (width < 1 || x.size() != columns * rows || y.size() != columns * rows)
    throw usage_error("a matrix of " + std::to_string(rows) + " rows multiplies " + std::to_string(width) +
                      " vectors of as many numbers each, not " + std::to_string(x.size()) + " in all");
  parallel_chunks(rows, sparse_matrix_row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      std::size_t c = 0;
      for (; c + lanes <= columns; c += lanes) multiply_row<lanes>(matrix, row, x.data() + c, y.data() + c, columns);
      for (; c < columns; ++c) multiply_row<1>(matrix, row, x.data() + c, y.data() + c, columns);
    }
  });
}

}  // namespace sinew
