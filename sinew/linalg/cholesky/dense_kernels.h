// Dense column-major kernels of the numeric factorisation, dispatched at run time to the widest
// vector instructions of the processor. Every entry of a result is computed in the same order of
// operations wherever it lies in its matrix and whatever the number of threads.
#pragma once

#include <cstddef>

namespace sinew::cholesky {

struct ConstMatrixView {
  const double* data = nullptr;
  std::size_t stride = 0;  // between columns
};

struct MatrixView {
  double* data = nullptr;
  std::size_t stride = 0;
};

enum class Shape {
  full,
  lower,  // only entries on and below the diagonal are needed; those above may be written or not
};

// C (m x n) -= A (m x k) B^T with B n x k. Large products are cut into tiles that run in parallel.
void subtract_product_transposed(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m, std::size_t n,
                                 std::size_t k, Shape shape = Shape::full);

// The same as subtract_product_transposed in plain loops: what the tests hold the kernels to.
void subtract_product_transposed_reference(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m,
                                           std::size_t n, std::size_t k);

}  // namespace sinew::cholesky
