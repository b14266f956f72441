// Eigenvalues and eigenvectors of dense symmetric matrices.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

struct SymmetricEigen {
  std::vector<double> values;
  std::vector<double> vectors;  // n numbers each, in the order of the values

  std::span<const double> vector(std::size_t k) const {
    return std::span<const double>(vectors).subspan(k * values.size(), values.size());
  }
};

// Solves A v = l v; pairs by decreasing l, with orthonormal v. `matrix` is n x n; only its lower triangle is read. The
// same matrix gives the same bits. Throws simulation_error where the iteration does not converge, which includes
// numbers that are not finite.
SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t n);

// Solves A v = l B v; pairs by increasing l, with v^T B v = 1. Both are n x n and B is positive definite; only lower
// triangles are read. Empty where B is not positive definite or a number is not finite.
std::optional<SymmetricEigen> generalized_symmetric_eigen(std::span<const double> a, std::span<const double> b,
                                                          std::size_t n);

}  // namespace sinew
