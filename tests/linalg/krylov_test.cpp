#include "sinew/linalg/krylov/krylov.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "sinew/base/error.h"
#include "tests/base/same_bits.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/operators.h"

namespace sinew {
namespace {

using test::dense_operator;
using test::view;

Eigen::MatrixXd random_matrix(int n, unsigned seed) { return test::random_matrix(n, n, seed); }

TEST(Gmres, SolvesUnsymmetricSystemsInAtMostNSteps) {
  for (int n = 1; n <= 30; ++n) {
    const Eigen::MatrixXd a = random_matrix(n, static_cast<unsigned>(n)) + 3 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = random_matrix(n, 100).col(0);
    std::vector<double> x(static_cast<std::size_t>(n), 0.0);
    Gmres gmres;
    const KrylovResult result = gmres.solve(dense_operator(a), {}, view(b), x, {1e-12, 100, 40});
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, n);
    EXPECT_NEAR(result.relative_residual, test::relative_residual(a, b, x), 1e-12);
    EXPECT_LT(test::relative_residual(a, b, x), 2e-12);
  }
}

TEST(Gmres, RestartsAndReportsTheTrueResidual) {
  const int n = 120;
  const Eigen::MatrixXd a = random_matrix(n, 1) + 9 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd b = random_matrix(n, 2).col(0);
  std::vector<double> x(n, 0.0);
  Gmres gmres;
  const KrylovResult result = gmres.solve(dense_operator(a), {}, view(b), x, {1e-9, 500, 7});
  EXPECT_TRUE(result.converged);
  EXPECT_GT(result.iterations, 7);
  EXPECT_LE(test::relative_residual(a, b, x), 1e-9 * (1 + 1e-3));
  EXPECT_NEAR(result.relative_residual, test::relative_residual(a, b, x), 1e-12);
}

TEST(Gmres, StopsAtTheLimitOfIterations) {
  const int n = 100;
  const Eigen::MatrixXd a = random_matrix(n, 1);
  const Eigen::VectorXd b = random_matrix(n, 2).col(0);
  std::vector<double> x(n, 0.0);
  const KrylovResult result = Gmres().solve(dense_operator(a), {}, view(b), x, {1e-12, 10, 4});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 10);
  EXPECT_NEAR(result.relative_residual, test::relative_residual(a, b, x), 1e-10);
}

TEST(Gmres, AnExactPreconditionerOrGuessNeedsOneOrNoStep) {
  const int n = 50;
  const Eigen::MatrixXd a = random_matrix(n, 3) + 5 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd b = random_matrix(n, 4).col(0);
  std::vector<double> x(n, 0.0);
  Gmres gmres;
  KrylovResult result = gmres.solve(dense_operator(a), dense_operator(test::inverse(a)), view(b), x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 1);
  result = gmres.solve(dense_operator(a), {}, view(b), x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0);
}

TEST(Gmres, AVaryingPreconditionerStillConverges) {
  const int n = 60;
  const Eigen::MatrixXd a = random_matrix(n, 5) + 6 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd b = random_matrix(n, 6).col(0);
  int calls = 0;
  const LinearOperator preconditioner = [&](std::span<const double> from, std::span<double> to) {
    const double scale = 1 + 0.5 * (calls++ % 3);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = scale * from[i] / a(static_cast<int>(i), static_cast<int>(i));
  };
  std::vector<double> x(n, 0.0);
  const KrylovResult result = Gmres().solve(dense_operator(a), preconditioner, view(b), x, {1e-10, 300, 30});
  EXPECT_TRUE(result.converged);
  EXPECT_LT(test::relative_residual(a, b, x), 2e-10);
}

TEST(Gmres, ZeroRightHandSideAndSingularMatrix) {
  std::vector<double> b(5, 0.0), x(5, 3.0);
  EXPECT_TRUE(Gmres().solve(dense_operator(Eigen::MatrixXd::Identity(5, 5)), {}, b, x).converged);
  EXPECT_EQ(x, std::vector<double>(5, 0.0));
  b[0] = 1;
  const KrylovResult result = Gmres().solve(dense_operator(Eigen::MatrixXd::Zero(5, 5)), {}, b, x);
  EXPECT_FALSE(result.converged);
  EXPECT_NEAR(result.relative_residual, 1, 1e-15);
}

TEST(ConjugateGradients, SolvesInAtMostNSteps) {
  for (const int n : {1, 5, 20}) {
    const Eigen::MatrixXd root = random_matrix(n, 7);
    const Eigen::MatrixXd a = root * root.transpose() + Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = random_matrix(n, 8).col(0);
    std::vector<double> x(static_cast<std::size_t>(n), 0.5);
    ConjugateGradients solver;
    const KrylovResult result = solver.solve(dense_operator(a), {}, view(b), x, {1e-11, 200, 1});
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 2 * n + 2);
    EXPECT_LT(test::relative_residual(a, b, x), 2e-11);
    std::fill(x.begin(), x.end(), 0.0);
    EXPECT_EQ(solver.solve(dense_operator(a), dense_operator(test::inverse(a)), view(b), x, {1e-8, 200, 1}).iterations,
              1);
  }
}

TEST(ConjugateGradients, IndefiniteMatricesAreErrors) {
  const std::vector<double> b(4, 1.0);
  std::vector<double> x(4, 0.0);
  EXPECT_THROW(ConjugateGradients().solve(dense_operator(-Eigen::MatrixXd::Identity(4, 4)), {}, b, x), Error);
}

TEST(Krylov, NumbersThatAreNotFiniteAreErrors) {
  std::vector<double> b(4, 1.0), x(4, 0.0);
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(4, 4);
  a(2, 2) = std::nan("");
  EXPECT_THROW(Gmres().solve(dense_operator(a), {}, b, x), Error);
  std::fill(x.begin(), x.end(), 0.0);
  EXPECT_THROW(ConjugateGradients().solve(dense_operator(a), {}, b, x), Error);
  b[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Gmres().solve(dense_operator(Eigen::MatrixXd::Identity(4, 4)), {}, b, x), Error);
  std::vector<double> short_vector(3);
  EXPECT_THROW(Gmres().solve(dense_operator(Eigen::MatrixXd::Identity(4, 4)), {}, b, short_vector), Error);
}

TEST(Krylov, SameBitsForAnyNumberOfThreads) {
  const LinearOperator matrix = test::three_point_operator(3, 3, -1, -1);
  const std::vector<double> b = test::rough_vector(100000);
  test::expect_same_bits([&] {
    std::vector<double> x(b.size(), 0.0);
    EXPECT_TRUE(Gmres().solve(matrix, {}, b, x, {1e-8, 100, 10}).converged);
    return x;
  });
  test::expect_same_bits([&] {
    std::vector<double> x(b.size(), 0.0);
    EXPECT_TRUE(ConjugateGradients().solve(matrix, {}, b, x, {1e-8, 100, 1}).converged);
    return x;
  });
}

}  // namespace
}  // namespace sinew
