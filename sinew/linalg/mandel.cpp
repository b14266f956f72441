#include "sinew/linalg/mandel.h"

#include <algorithm>

#include "sinew/linalg/symmetric_eigen.h"

namespace sinew {
namespace {

// Cholesky's pivots of a - shift I: all positive where every eigenvalue exceeds `shift`.
bool eigenvalues_exceed(MandelMatrix a, double shift) {
  for (std::size_t k = 0; k < 6; ++k) {
    const double pivot = a(k, k) - shift;
    if (!(pivot > 0)) return false;
    for (std::size_t i = k + 1; i < 6; ++i) {
      const double factor = a(i, k) / pivot;
      for (std::size_t j = k + 1; j <= i; ++j) a(i, j) -= factor * a(j, k);
    }
  }
  return true;
}

}  // namespace

MandelMatrix with_eigenvalues_at_least(const MandelMatrix& a, double least) {
  if (eigenvalues_exceed(a, least)) return a;
  const SymmetricEigen eigen = symmetric_eigen(a.m, 6);
  MandelMatrix result{};
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        result(i, j) += std::max(eigen.values[k], least) * eigen.vector(k)[i] * eigen.vector(k)[j];
  return result;
}

}  // namespace sinew
