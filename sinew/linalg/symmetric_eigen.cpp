#include "sinew/linalg/symmetric_eigen.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/linalg/dense_cholesky.h"

namespace sinew {

SymmetricEigen symmetric_eigen(std::span<const double> matrix, std::size_t n) {
  SymmetricEigen result;
  if (n == 0) return result;
  const auto size = static_cast<Eigen::Index>(n);
  // By rows or by columns is the same for a symmetric matrix; Eigen reads the lower triangle of this.
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Matrix>(matrix.data(), size, size));
  if (solver.info() != Eigen::Success) throw simulation_error("the eigenvalues of a symmetric matrix were not found");
  result.values.resize(n);
  result.vectors.resize(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto from = static_cast<Eigen::Index>(n - 1 - k);  // Eigen's rise
    result.values[k] = solver.eigenvalues()(from);
    Eigen::Map<Eigen::VectorXd>(result.vectors.data() + k * n, size) = solver.eigenvectors().col(from);
  }
  return result;
}

std::optional<SymmetricEigen> generalized_symmetric_eigen(std::span<const double> a, std::span<const double> b,
                                                          std::size_t n) {
  DenseCholesky factor;  // B = L L^T
  if (!std::all_of(a.begin(), a.end(), [](double x) { return std::isfinite(x); }) || !factor.factor(b, n))
    return std::nullopt;
  // C = L^-1 A L^-T has the same values, and vectors w = L^T v.
  std::vector<double> c(n * n), column(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) c[j * n + i] = a[std::max(i, j) * n + std::min(i, j)];
  for (int side = 0; side < 2; ++side) {
    for (std::size_t j = 0; j < n; ++j) factor.solve_lower(std::span(c).subspan(j * n, n));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) std::swap(c[j * n + i], c[i * n + j]);
  }
  SymmetricEigen result = symmetric_eigen(c, n);
  std::reverse(result.values.begin(), result.values.end());
  for (std::size_t k = 0; 2 * k + 1 < n; ++k)
    std::swap_ranges(result.vectors.begin() + static_cast<std::ptrdiff_t>(k * n),
                     result.vectors.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                     result.vectors.begin() + static_cast<std::ptrdiff_t>((n - 1 - k) * n));
  for (std::size_t k = 0; k < n; ++k) factor.solve_upper(std::span(result.vectors).subspan(k * n, n));
  return result;
}

}  // namespace sinew
