// Dense column-major matrices and their products, with the same bits for the same input.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct DenseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> value;  // column-major

  DenseMatrix() = default;
  DenseMatrix(std::size_t row_count, std::size_t column_count)  // zeros
      : rows(row_count), columns(column_count), value(row_count * column_count) {}

  double& operator()(std::size_t i, std::size_t j) { return value[j * rows + i]; }
  double operator()(std::size_t i, std::size_t j) const { return value[j * rows + i]; }
  std::span<double> column(std::size_t j) { return std::span(value).subspan(j * rows, rows); }
  std::span<const double> column(std::size_t j) const { return std::span(value).subspan(j * rows, rows); }
};

// Products A B and A^T B. Throws usage_error where the sizes do not match.
DenseMatrix product(const DenseMatrix& a, const DenseMatrix& b);
DenseMatrix transposed_product(const DenseMatrix& a, const DenseMatrix& b);

// A column-major matrix in memory of the caller's.
struct DenseView {
  std::span<const double> value;
  std::size_t rows = 0, columns = 0;
};
// These write A B, A^T B and A^T A, column-major, to memory of the caller's, which must have the right size. The
// columns of the last two are computed in parallel.
void product(const DenseView& a, const DenseView& b, std::span<double> result);
void transposed_product(const DenseView& a, const DenseView& b, std::span<double> result);
void transposed_square(const DenseView& a, std::span<double> result);

// Adds the lower triangle of A A^T to that of `sum`, a square matrix with as many rows as A; throws usage_error for
// other sizes.
void add_gram(const DenseMatrix& a, DenseMatrix& sum);

}  // namespace sinew
