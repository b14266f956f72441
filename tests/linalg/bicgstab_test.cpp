#include "sinew/linalg/krylov/bicgstab.h"

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
using test::relative_residual;
using test::view;

TEST(BiCgStab, SolvesUnsymmetricSystems) {
  for (int n = 1; n <= 30; ++n) {
    const Eigen::MatrixXd a = random_matrix(n, n, static_cast<unsigned>(n)) + 6 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = random_matrix(n, 1, 100);
    std::vector<double> x(static_cast<std::size_t>(n), 0.0);
    const KrylovResult result = BiCgStab().solve(dense_operator(a), {}, view(b), x, {1e-11, 4 * n + 10, 1});
    EXPECT_TRUE(result.converged) << n;
    EXPECT_LE(relative_residual(a, b, x), 1e-11 * (1 + 1e-3)) << n;
    EXPECT_NEAR(result.relative_residual, relative_residual(a, b, x), 1e-13);
  }
}

// Eigenvalues on and near the imaginary axis: steps of least residual gain nothing there. The first turns every vector
// by a right angle, so that the very first quotient of the recurrence would be 0 / 0.
TEST(BiCgStab, SolvesSkewAndNearlySkewSystems) {
  for (const double diagonal : {0.0, 1e-3, 0.1}) {
    const int n = 12;
    Eigen::MatrixXd a = random_matrix(n, n, 3);
    a = (a - a.transpose()).eval() + diagonal * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = random_matrix(n, 1, 4);
    std::vector<double> x(static_cast<std::size_t>(n), 0.0);
    const KrylovResult result = BiCgStab().solve(dense_operator(a), {}, view(b), x, {1e-9, 2000, 1});
    EXPECT_TRUE(result.converged) << diagonal << ": " << result.relative_residual;
    EXPECT_LE(relative_residual(a, b, x), 1.001e-9) << diagonal;
  }
}

TEST(BiCgStab, AnExactPreconditionerOrGuessNeedsOneOrNoStep) {
  const int n = 50;
  const Eigen::MatrixXd a = random_matrix(n, n, 3) + 5 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd b = random_matrix(n, 1, 4);
  std::vector<double> x(n, 0.0);
  BiCgStab solver;
  KrylovResult result = solver.solve(dense_operator(a), dense_operator(test::inverse(a)), view(b), x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 1);
  result = solver.solve(dense_operator(a), {}, view(b), x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0);
}

TEST(BiCgStab, StopsAtTheLimitWithTheBestThatItHad) {
  const int n = 100;
  const Eigen::MatrixXd a = random_matrix(n, n, 1);
  const Eigen::VectorXd b = random_matrix(n, 1, 2);
  for (const int limit : {0, 1, 7, 10}) {
    std::vector<double> x(n, 0.0);
    const KrylovResult result = BiCgStab().solve(dense_operator(a), {}, view(b), x, {1e-12, limit, 1});
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.iterations, limit);
    EXPECT_NEAR(result.relative_residual, relative_residual(a, b, x), 1e-10);
    EXPECT_LE(relative_residual(a, b, x), 1);
  }
}

TEST(BiCgStab, ZeroRightHandSideSingularMatrixAndToleranceBelowRounding) {
  std::vector<double> b(5, 0.0), x(5, 3.0);
  EXPECT_TRUE(BiCgStab().solve(dense_operator(Eigen::MatrixXd::Identity(5, 5)), {}, b, x).converged);
  EXPECT_EQ(x, std::vector<double>(5, 0.0));
  b[0] = 1;
  EXPECT_FALSE(BiCgStab().solve(dense_operator(Eigen::MatrixXd::Zero(5, 5)), {}, b, x).converged);
  const Eigen::MatrixXd a = random_matrix(20, 20, 9) + 5 * Eigen::MatrixXd::Identity(20, 20);
  const Eigen::VectorXd load = random_matrix(20, 1, 10);
  std::vector<double> y(20, 0.0);
  const KrylovResult result = BiCgStab().solve(dense_operator(a), {}, view(load), y, {1e-30, 100000, 1});
  EXPECT_FALSE(result.converged);
  EXPECT_LT(result.iterations, 1000);
  EXPECT_LT(relative_residual(a, load, y), 1e-14);
}

TEST(BiCgStab, NumbersThatAreNotFiniteAreErrors) {
  std::vector<double> b(4, 1.0), x(4, 0.0);
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(4, 4);
  a(2, 2) = std::nan("");
  EXPECT_THROW(BiCgStab().solve(dense_operator(a), {}, b, x), Error);
  b[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(BiCgStab().solve(dense_operator(Eigen::MatrixXd::Identity(4, 4)), {}, b, x), Error);
  std::vector<double> short_vector(3);
  EXPECT_THROW(BiCgStab().solve(dense_operator(Eigen::MatrixXd::Identity(4, 4)), {}, b, short_vector), Error);
}

TEST(BiCgStab, SameBitsForAnyNumberOfThreads) {
  const LinearOperator convection = test::three_point_operator(3, 3, -1.5, -0.5);
  const std::vector<double> b = test::rough_vector(60000);
  test::expect_same_bits([&] {
    std::vector<double> x(b.size(), 0.0);
    EXPECT_TRUE(BiCgStab().solve(convection, {}, b, x, {1e-8, 200, 1}).converged);
    return x;
  });
}

}  // namespace
}  // namespace sinew
