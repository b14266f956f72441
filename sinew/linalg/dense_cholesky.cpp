#include "sinew/linalg/dense_cholesky.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew {

bool DenseCholesky::factor(std::span<const double> matrix, std::size_t n, std::size_t stride) {
  const std::size_t step = stride > 0 ? stride : n;
  size_ = 0;
  lower_.assign(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    double* column = lower_.data() + j * n;
    for (std::size_t i = j; i < n; ++i) column[i] = matrix[i * step + j];
    for (std::size_t k = 0; k < j; ++k) {
      const double* before = lower_.data() + k * n;
      for (std::size_t i = j; i < n; ++i) column[i] -= before[i] * before[j];
    }
    if (!(column[j] > 0) || !std::isfinite(column[j])) return false;
    const double pivot = std::sqrt(column[j]);
    for (std::size_t i = j; i < n; ++i) column[i] /= pivot;
  }
  size_ = n;
  return true;
}

void DenseCholesky::solve(std::span<const double> b, std::span<double> x) const {
  check_length(b.size());
  check_length(x.size());
  if (b.data() != x.data()) std::copy(b.begin(), b.end(), x.begin());
  solve_lower(x);
  solve_upper(x);
}

void DenseCholesky::solve_lower(std::span<double> y) const {
  check_length(y.size());
  for (std::size_t j = 0; j < size_; ++j) {
    const double* column = lower_.data() + j * size_;
    y[j] /= column[j];
    for (std::size_t i = j + 1; i < size_; ++i) y[i] -= column[i] * y[j];
  }
}

void DenseCholesky::solve_upper(std::span<double> y) const {
  check_length(y.size());
  for (std::size_t j = size_; j-- > 0;) {
    const double* column = lower_.data() + j * size_;
    double sum = y[j];
    for (std::size_t i = j + 1; i < size_; ++i) sum -= column[i] * y[i];
    y[j] = sum / column[j];
  }
}

void DenseCholesky::check_length(std::size_t length) const {
  if (length != size_)
    throw usage_error("a dense system was asked to solve for a vector of another length than its matrix.");
}

}  // namespace sinew
