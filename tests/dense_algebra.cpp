#include "tests/dense_algebra.h"

#include <Eigen/Dense>

namespace sinew::test {

DenseMatrix solved(const DenseMatrix& matrix, const DenseMatrix& right) { return matrix.partialPivLu().solve(right); }

DenseMatrix inverse(const DenseMatrix& matrix) { return matrix.partialPivLu().inverse(); }

DenseMatrix least_squares(const DenseMatrix& matrix, const DenseMatrix& right) {
  return matrix.completeOrthogonalDecomposition().solve(right);
}

int rank(const DenseMatrix& matrix) { return static_cast<int>(matrix.fullPivLu().rank()); }

DenseMatrix orthonormal_columns(const DenseMatrix& matrix) {
  return matrix.householderQr().householderQ() * DenseMatrix::Identity(matrix.rows(), matrix.cols());
}

Eigen::VectorXd symmetric_eigenvalues(const DenseMatrix& matrix) {
  return Eigen::SelfAdjointEigenSolver<DenseMatrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd symmetric_eigenvalues(const DenseMatrix& stiffness, const DenseMatrix& mass) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<DenseMatrix>(stiffness, mass, Eigen::EigenvaluesOnly | Eigen::Ax_lBx)
      .eigenvalues();
}

Eigen::VectorX<std::complex<long double>> eigenvalues(const LongMatrix& matrix) {
  return Eigen::EigenSolver<LongMatrix>(matrix, false).eigenvalues();
}

SingularValues singular_values(const DenseMatrix& matrix) {
  const Eigen::JacobiSVD<DenseMatrix> known(matrix, Eigen::ComputeThinU);
  return {known.singularValues(), known.matrixU()};
}

}  // namespace sinew::test
