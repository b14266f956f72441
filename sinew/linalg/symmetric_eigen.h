// Eigenvalues and eigenvectors of dense symmetric matrices.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct SymmetricEigen {
  std::vector<double> values;   // falling
  std::vector<double> vectors;  // n numbers each, orthonormal, in the order of the values

  std::span<const double> vector(std::size_t k) const {
    return std::span<const double>(vectors).subspan(k * values.size(), values.size());
  }
};

// `matrix` is n x n; only its lower triangle is read. The same matrix gives the same bits. Throws simulation_error where
// the iteration does not converge, as it does not where a number is not finite.
SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t n);

}  // namespace sinew
