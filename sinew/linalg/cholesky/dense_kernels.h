// Dense column-major kernels of the numeric factorisation, dispatched at run time to the widest
// vector instructions of the processor. The order of operations in an entry of a result depends on the
// sizes of the operands alone, never on the number of threads.
#pragma once

#include <cstddef>

namespace sinew::cholesky {

struct ConstMatrixView {
  const double* data = nullptr;
  std::size_t stride = 0;  // between columns

  const double* at(std::size_t row, std::size_t column) const { return data + row + column * stride; }
  ConstMatrixView from(std::size_t row, std::size_t column) const { return {at(row, column), stride}; }
};

struct MatrixView {
  double* data = nullptr;
  std::size_t stride = 0;

  operator ConstMatrixView() const { return {data, stride}; }
  double* at(std::size_t row, std::size_t column) const { return data + row + column * stride; }
  MatrixView from(std::size_t row, std::size_t column) const { return {at(row, column), stride}; }
};

enum class Shape {
  full,
  lower,  // only entries on and below the diagonal are needed; those above may be overwritten
};

// C (m x n) -= A (m x k) B^T with B n x k. Large products are cut into tiles that run in parallel.
void subtract_product_transposed(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m, std::size_t n,
                                 std::size_t k, Shape shape = Shape::full);

// C (m x n) = A (m x k) B^T with B n x k, k > 0. The previous contents of C are not read.
void product_transposed(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m, std::size_t n,
                        std::size_t k);

// Largest number of columns that solve_narrow() takes.
inline constexpr std::size_t narrow_columns = 8;

// R := R L^-T for R rows x n and the lower triangle L (n x n, n <= narrow_columns), whose inverse diagonal is given.
void solve_narrow(MatrixView r, ConstMatrixView l, const double* inverse_diagonal, std::size_t rows, std::size_t n);

}  // namespace sinew::cholesky
