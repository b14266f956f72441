#include "sinew/linalg/positive_part.h"

#include <Eigen/Dense>

namespace sinew {

Mat3 positive_part(const Mat3& a) {
  using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Eigen::Map<const Matrix>(a.m));
  if (!(solver.eigenvalues()(0) < 0)) return a;
  Mat3 result;
  Eigen::Map<Matrix>(result.m) =
      solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() * solver.eigenvectors().transpose();
  return result;
}

}  // namespace sinew
