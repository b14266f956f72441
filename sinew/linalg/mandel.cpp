#include "sinew/linalg/mandel.h"

#include <Eigen/Dense>

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
  using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Eigen::Map<const Matrix>(a.m));
  const Eigen::Matrix<double, 6, 1> values = solver.eigenvalues().cwiseMax(least);
  MandelMatrix result;
  Eigen::Map<Matrix>(result.m) = solver.eigenvectors() * values.asDiagonal() * solver.eigenvectors().transpose();
  return result;
}

}  // namespace sinew
