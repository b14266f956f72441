// Dense matrices as operators, for tests of iterative solvers.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew::test {

inline LinearOperator dense_operator(const Eigen::MatrixXd& matrix) {
  return [matrix](std::span<const double> from, std::span<double> to) {
    const Eigen::Map<const Eigen::VectorXd> x(from.data(), static_cast<Eigen::Index>(from.size()));
    Eigen::Map<Eigen::VectorXd>(to.data(), static_cast<Eigen::Index>(to.size())) = matrix * x;
  };
}

// to_i = d_i from_i + left from_{i-1} + right from_{i+1}, d_i by turns `even` and `odd`: long vectors, no matrix.
inline LinearOperator three_point_operator(double even, double odd, double left, double right) {
  return [=](std::span<const double> from, std::span<double> to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] = (i % 2 == 0 ? even : odd) * from[i] + left * (i > 0 ? from[i - 1] : 0) +
              right * (i + 1 < from.size() ? from[i + 1] : 0);
  };
}

// sin(i^2): neither smooth nor random.
inline std::vector<double> rough_vector(std::size_t n) {
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = std::sin(static_cast<double>(i * i));
  return b;
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
