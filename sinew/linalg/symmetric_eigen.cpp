#include "sinew/linalg/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

#include "sinew/base/error.h"

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

}  // namespace sinew
