// Dense matrices as operators, for tests of iterative solvers.
#pragma once

#include <Eigen/Dense>
#include <random>
#include <span>
#include <vector>

#include "sinew/linalg/krylov.h"

namespace sinew::test {

inline LinearOperator dense_operator(const Eigen::MatrixXd& matrix) {
  return [matrix](std::span<const double> from, std::span<double> to) {
    const Eigen::Map<const Eigen::VectorXd> x(from.data(), static_cast<Eigen::Index>(from.size()));
    Eigen::Map<Eigen::VectorXd>(to.data(), static_cast<Eigen::Index>(to.size())) = matrix * x;
  };
}

// Entries in [-1, 1].
inline Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Eigen::MatrixXd matrix(rows, columns);
  for (double& v : matrix.reshaped()) v = uniform(generator);
  return matrix;
}

inline Eigen::MatrixXd random_positive_definite(Eigen::Index n, unsigned seed) {
  const Eigen::MatrixXd root = random_matrix(n, n, seed);
  return root * root.transpose() + Eigen::MatrixXd::Identity(n, n);
}

inline std::span<const double> view(const Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
inline Eigen::Map<const Eigen::VectorXd> map(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

inline double relative_residual(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b, const std::vector<double>& x) {
  return (b - matrix * map(x)).norm() / b.norm();
}

}  // namespace sinew::test
