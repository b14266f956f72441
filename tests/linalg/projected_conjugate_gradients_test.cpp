#include "sinew/linalg/krylov/projected_conjugate_gradients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/operators.h"

namespace sinew {
namespace {

using test::dense_operator;
using test::random_matrix;
using test::random_positive_definite;
using test::view;

struct ProjectedProblem {
  Eigen::MatrixXd a, c, projection;  // x^T A x / 2 - b^T x with C^T x = d
  Eigen::VectorXd b, start;          // start: C^T start = d
};

ProjectedProblem problem(int n, int m) {
  ProjectedProblem p{
      random_positive_definite(n, 1), random_matrix(n, m, 2), {}, random_matrix(n, 1, 3), random_matrix(n, 1, 4)};
  const Eigen::MatrixXd q = test::orthonormal_columns(p.c);
  p.projection = Eigen::MatrixXd::Identity(n, n) - q * q.transpose();
  return p;
}

// Against the equations with Lagrange multipliers, solved densely.
TEST(ProjectedConjugateGradients, AgreesWithLagrangeMultipliers) {
  const int n = 40, m = 6;
  const ProjectedProblem p = problem(n, m);
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + m, n + m);
  system << p.a, p.c, p.c.transpose(), Eigen::MatrixXd::Zero(m, m);
  Eigen::VectorXd right(n + m);
  right << p.b, p.c.transpose() * p.start;
  const Eigen::VectorXd expected = test::solved(system, right).topRows(n);

  for (const LinearOperator& preconditioner : {LinearOperator{}, dense_operator(test::inverse(p.a))}) {
    std::vector<double> x(p.start.begin(), p.start.end());
    const KrylovResult result = ProjectedConjugateGradients().solve(
        dense_operator(p.a), preconditioner, dense_operator(p.projection), view(p.b), x, {1e-12, 200, 1});
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 2 * (n - m));
    EXPECT_LT((test::map(x) - expected).norm(), 1e-10 * expected.norm());
    EXPECT_LT((p.c.transpose() * (test::map(x) - p.start)).norm(), 1e-13 * p.start.norm() * p.c.norm());
  }
}

TEST(ProjectedConjugateGradients, StopsAtTheLimitAndWhereNothingMayMove) {
  const ProjectedProblem p = problem(30, 4);
  std::vector<double> x(30, 0.0);
  const KrylovResult result = ProjectedConjugateGradients().solve(dense_operator(p.a), {}, dense_operator(p.projection),
                                                                  view(p.b), x, {1e-12, 3, 1});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 3);
  const std::vector<double> held = x;
  EXPECT_TRUE(ProjectedConjugateGradients()
                  .solve(dense_operator(p.a), {}, dense_operator(Eigen::MatrixXd::Zero(30, 30)), view(p.b), x)
                  .converged);
  EXPECT_EQ(x, held);
}

TEST(ProjectedConjugateGradients, OnlyTheSubspaceHasToBeDefinite) {
  ProjectedProblem p = problem(30, 4);
  p.a -= 50 * (Eigen::MatrixXd::Identity(30, 30) - p.projection);  // indefinite across the subspace

  std::vector<double> x(30, 0.0);
  EXPECT_TRUE(ProjectedConjugateGradients()
                  .solve(dense_operator(p.a), {}, dense_operator(p.projection), view(p.b), x, {1e-10, 200, 1})
                  .converged);
  EXPECT_THROW(ProjectedConjugateGradients().solve(dense_operator(-Eigen::MatrixXd::Identity(30, 30)), {},
                                                   dense_operator(p.projection), view(p.b), x),
               Error);
}

TEST(ProjectedConjugateGradients, NumbersThatAreNotFiniteAreErrors) {
  const ProjectedProblem p = problem(10, 2);
  Eigen::MatrixXd a = p.a;
  a(3, 3) = std::nan("");
  std::vector<double> x(10, 0.0);
  EXPECT_THROW(ProjectedConjugateGradients().solve(dense_operator(a), {}, dense_operator(p.projection), view(p.b), x),
               Error);
}

}  // namespace
}  // namespace sinew
