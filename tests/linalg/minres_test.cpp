#include "sinew/linalg/krylov/minres.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "tests/base/same_bits.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/operators.h"

namespace sinew {
namespace {

using test::dense_operator;
using test::random_matrix;
using test::random_positive_definite;
using test::relative_residual;
using test::view;

// [A C; C^T 0], A positive definite: the systems with Lagrange multipliers.
Eigen::MatrixXd saddle_point(const Eigen::MatrixXd& a, const Eigen::MatrixXd& c) {
  const Eigen::Index n = a.rows(), m = c.cols();
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + m, n + m);
  system.topLeftCorner(n, n) = a;
  system.topRightCorner(n, m) = c;
  system.bottomLeftCorner(m, n) = c.transpose();
  return system;
}

TEST(Minres, SolvesIndefiniteSystemsInAboutNSteps) {
  for (const int n : {1, 2, 5, 20, 30}) {
    const Eigen::MatrixXd r = random_matrix(n, n, static_cast<unsigned>(n));
    const Eigen::MatrixXd a = r + r.transpose();
    const Eigen::VectorXd b = random_matrix(n, 1, 100);
    std::vector<double> x(static_cast<std::size_t>(n), 0.5);
    const KrylovResult result = Minres().solve(dense_operator(a), {}, view(b), x, {1e-10, 20 * n, 1});
    EXPECT_TRUE(result.converged) << n;
    EXPECT_LE(result.iterations, 4 * n) << n;
    EXPECT_LE(relative_residual(a, b, x), 1e-10 * (1 + 1e-3)) << n;
    EXPECT_NEAR(result.relative_residual, relative_residual(a, b, x), 1e-13);
  }
}

// With diag(A, C^T A^-1 C) as preconditioner the system has three eigenvalues only (Murphy, Golub and Wathen 2000).
TEST(Minres, TheIdealPreconditionerOfASaddlePointTakesThreeSteps) {
  const int n = 40, m = 7;
  const Eigen::MatrixXd a = random_positive_definite(n, 5), c = random_matrix(n, m, 6);
  const Eigen::MatrixXd system = saddle_point(a, c);
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(n + m, n + m);
  inverse.topLeftCorner(n, n) = test::inverse(a);
  inverse.bottomRightCorner(m, m) = test::inverse(c.transpose() * test::inverse(a) * c);
  const Eigen::VectorXd b = random_matrix(n + m, 1, 7);
  std::vector<double> x(static_cast<std::size_t>(n + m), 0.0);
  const KrylovResult result =
      Minres().solve(dense_operator(system), dense_operator(inverse), view(b), x, {1e-10, 50, 1});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_LE(relative_residual(system, b, x), 1e-10);
}

// The residual falls at every step in the norm of the preconditioner; without one, in the norm that is reported.
TEST(Minres, TheResidualNeverRises) {
  const int n = 60;
  const Eigen::MatrixXd system = saddle_point(random_positive_definite(n, 1), random_matrix(n, 9, 2));
  const Eigen::VectorXd b = random_matrix(system.rows(), 1, 3);
  double before = 1;
  for (int limit = 1; limit < 60; ++limit) {
    std::vector<double> x(static_cast<std::size_t>(system.rows()), 0.0);
    const KrylovResult result = Minres().solve(dense_operator(system), {}, view(b), x, {1e-12, limit, 1});
    EXPECT_NEAR(result.relative_residual, relative_residual(system, b, x), 1e-12);
    EXPECT_LE(result.relative_residual, before * (1 + 1e-12));
    before = result.relative_residual;
  }
}

TEST(Minres, SingularSystems) {
  const int n = 12;
  const Eigen::MatrixXd root = random_matrix(n, 5, 1);
  const Eigen::MatrixXd a = root * root.transpose();
  const Eigen::VectorXd inside = a * random_matrix(n, 1, 2), outside = random_matrix(n, 1, 3);
  std::vector<double> x(n, 0.0);
  EXPECT_TRUE(Minres().solve(dense_operator(a), {}, view(inside), x, {1e-8, 100, 1}).converged);
  EXPECT_LE(relative_residual(a, inside, x), 1.001e-8);
  std::fill(x.begin(), x.end(), 0.0);
  const KrylovResult result = Minres().solve(dense_operator(a), {}, view(outside), x, {1e-8, 1000, 1});
  EXPECT_FALSE(result.converged);
  EXPECT_LT(result.iterations, 100);
  // The least residual there is.
  const Eigen::VectorXd best = outside - root * test::least_squares(root, outside);
  EXPECT_NEAR(relative_residual(a, outside, x), best.norm() / outside.norm(), 1e-6);
  std::fill(x.begin(), x.end(), 0.0);
  EXPECT_FALSE(Minres().solve(dense_operator(Eigen::MatrixXd::Zero(n, n)), {}, view(outside), x).converged);
}

TEST(Minres, ZeroRightHandSideExactGuessAndBadPreconditioner) {
  std::vector<double> b(4, 0.0), x(4, 3.0);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(4, 4);
  EXPECT_TRUE(Minres().solve(dense_operator(identity), {}, b, x).converged);
  EXPECT_EQ(x, std::vector<double>(4, 0.0));
  b.assign(4, 2.0);
  x.assign(4, -2.0);
  EXPECT_EQ(Minres().solve(dense_operator(-identity), {}, b, x).iterations, 0);
  x.assign(4, 0.0);
  EXPECT_THROW(Minres().solve(dense_operator(identity), dense_operator(-identity), b, x), Error);
}

TEST(Minres, NumbersThatAreNotFiniteAreErrors) {
  std::vector<double> b(4, 1.0), x(4, 0.0);
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(4, 4);
  a(2, 2) = std::nan("");
  EXPECT_THROW(Minres().solve(dense_operator(a), {}, b, x), Error);
  b[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Minres().solve(dense_operator(Eigen::MatrixXd::Identity(4, 4)), {}, b, x), Error);
}

TEST(Minres, SameBitsForAnyNumberOfThreads) {
  const LinearOperator indefinite = test::three_point_operator(3, -3, -1, -1);
  const std::vector<double> b = test::rough_vector(60000);
  test::expect_same_bits([&] {
    std::vector<double> x(b.size(), 0.0);
    EXPECT_TRUE(Minres().solve(indefinite, {}, b, x, {1e-8, 200, 1}).converged);
    return x;
  });
}

}  // namespace
}  // namespace sinew
