#include "sinew/linalg/bounded/bounded_quadratic.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sinew/base/error.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearOperator product(const MatrixXd& matrix) {
  return [&matrix](std::span<const double> from, std::span<double> to) {
    const Eigen::Map<const VectorXd> x(from.data(), matrix.cols());
    Eigen::Map<VectorXd>(to.data(), matrix.rows()) = matrix * x;
  };
}

// rank <= n: singular where less, as with more contacts than unknowns.
MatrixXd positive_matrix(Index n, Index rank, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  MatrixXd factor(n, rank);
  for (double& v : factor.reshaped()) v = normal(generator);
  return factor * factor.transpose();
}

struct Problem {
  MatrixXd matrix;
  VectorXd slope;
};

// Bounded below for any rank: the slope is W z plus something that is not negative.
Problem random_problem(Index n, Index rank, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Problem problem{positive_matrix(n, rank, generator), VectorXd(n)};
  VectorXd z(n);
  for (double& v : z) v = normal(generator);
  problem.slope = problem.matrix * z;
  for (double& v : problem.slope) v += std::max(0.0, normal(generator));
  return problem;
}

struct Solution {
  VectorXd x, gradient;
  BoundedQuadraticResult result;
};

Solution solve(const Problem& problem, const BoundedQuadraticOptions& options, const VectorXd& start) {
  const auto n = static_cast<std::size_t>(problem.slope.size());
  std::vector<double> scale(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<Index>(i);
    scale[i] = 1 / std::sqrt(problem.matrix(at, at));
  }
  Solution solution{start, problem.matrix * start + problem.slope, {}};
  solution.result = minimize_bounded_quadratic(product(problem.matrix), scale, {solution.x.data(), n},
                                               {solution.gradient.data(), n}, options);
  return solution;
}

double value(const Problem& problem, const VectorXd& x) {
  return 0.5 * x.dot(problem.matrix * x) + problem.slope.dot(x);
}

// The least value over all choices of which unknowns are at their bounds.
double least_value(const Problem& problem) {
  const Index n = problem.slope.size();
  double least = 0;
  for (unsigned choice = 1; choice < (1u << n); ++choice) {
    std::vector<Index> free;
    for (Index i = 0; i < n; ++i)
      if (choice >> i & 1) free.push_back(i);
    const VectorXd part = test::solved(problem.matrix(free, free), -problem.slope(free));
    if (part.minCoeff() < 0) continue;
    VectorXd x = VectorXd::Zero(n);
    x(free) = part;
    least = std::min(least, value(problem, x));
  }
  return least;
}

TEST(BoundedQuadratic, FindsTheLeastOfAllFaces) {
  BoundedQuadraticOptions options;
  options.tolerance = 1e-10;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Problem problem = random_problem(6, 6, seed);
    const Solution solution = solve(problem, options, VectorXd::Zero(6));
    EXPECT_TRUE(solution.result.converged) << seed;
    EXPECT_GE(solution.x.minCoeff(), 0);
    EXPECT_NEAR(value(problem, solution.x), least_value(problem), 1e-9 * (1 + std::abs(least_value(problem)))) << seed;
  }
}

// Also where there are three times as many unknowns as the matrix has rank.
TEST(BoundedQuadratic, FulfilsTheConditionsOfTheMinimumFromAnyStart) {
  BoundedQuadraticOptions options;
  options.tolerance = 1e-7;
  options.max_products = 5000;
  for (unsigned seed = 0; seed < 20; ++seed)
    for (Index rank : {90, 30}) {
      const Problem problem = random_problem(90, rank, seed);
      for (double start : {0.0, 1.0}) {
        const Solution solution = solve(problem, options, VectorXd::Constant(90, start));
        EXPECT_TRUE(solution.result.converged) << seed << ' ' << rank;
        EXPECT_GE(solution.x.minCoeff(), 0);
        const VectorXd gradient = problem.matrix * solution.x + problem.slope;
        EXPECT_LT((gradient - solution.gradient).norm(), 1e-8 * problem.slope.norm());
        EXPECT_GE(gradient.minCoeff(), -2e-7);
        for (Index i = 0; i < 90; ++i) EXPECT_TRUE(solution.x[i] == 0 || std::abs(gradient[i]) < 2e-7);
      }
    }
}

TEST(BoundedQuadratic, NeverGoesUpFromTheStart) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Problem problem = random_problem(40, 15, seed);
    double last = value(problem, VectorXd::Constant(40, 0.3));
    for (int products = 1; products < 60; ++products) {
      BoundedQuadraticOptions options;
      options.tolerance = 1e-12;
      options.max_products = products;
      const Solution solution = solve(problem, options, VectorXd::Constant(40, 0.3));
      const double now = value(problem, solution.x);
      EXPECT_LE(now, last + 1e-10 * std::abs(last)) << seed << ' ' << products;
      last = now;
    }
  }
}

TEST(BoundedQuadratic, NothingToDoTakesNoProduct) {
  Problem problem = random_problem(10, 10, 1);
  problem.slope = problem.slope.cwiseAbs();
  const Solution solution = solve(problem, {}, VectorXd::Zero(10));
  EXPECT_TRUE(solution.result.converged);
  EXPECT_EQ(solution.result.products, 0);
  EXPECT_EQ(solution.x.norm(), 0);
}

TEST(BoundedQuadratic, RefusesWrongLengthsAndNumbersThatAreNone) {
  std::vector<double> x(3), gradient(3, -1.0), scale(2, 1.0);
  const MatrixXd identity = MatrixXd::Identity(3, 3);
  EXPECT_THROW(minimize_bounded_quadratic(product(identity), scale, x, gradient), Error);
  scale.resize(3, 1.0);
  gradient[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(minimize_bounded_quadratic(product(identity), scale, x, gradient), Error);
}

}  // namespace
}  // namespace sinew
