#include "sinew/linalg/bounded/non_negative_least_squares.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct LeastSquares {
  MatrixXd a;
  VectorXd b, penalty;
  bool sum_to_one = false;

  NormalEquations equations() const {
    return normal_equations({a.data(), static_cast<std::size_t>(a.size())}, static_cast<std::size_t>(a.rows()),
                            {b.data(), static_cast<std::size_t>(b.size())});
  }
  NonNegativeOptions options() const {
    NonNegativeOptions options{.sum_to_one = sum_to_one};
    options.penalty = {penalty.data(), static_cast<std::size_t>(penalty.size())};
    return options;
  }
  double value(const VectorXd& w) const {
    return (a * w - b).squaredNorm() + (penalty.size() > 0 ? penalty.dot(w) : 0.0);
  }
  NonNegativeSolution solve() const { return non_negative_least_squares(equations(), options()); }
};

VectorXd vector_of(const std::vector<double>& w) {
  return Eigen::Map<const VectorXd>(w.data(), static_cast<Index>(w.size()));
}

MatrixXd random_matrix(Index rows, Index columns, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  MatrixXd a(rows, columns);
  for (double& v : a.reshaped()) v = normal(generator);
  return a;
}

LeastSquares random_problem(Index rows, Index unknowns, bool sum_to_one, bool penalised, unsigned seed) {
  std::mt19937 generator(seed);
  LeastSquares p{random_matrix(rows, unknowns, generator), random_matrix(rows, 1, generator), {}, sum_to_one};
  if (penalised) p.penalty = random_matrix(unknowns, 1, generator).cwiseAbs();
  return p;
}

// The least value over all sets of unknowns that may differ from zero: each set's own minimum, where it has no negative
// part. A minimum whose columns are independent (and with a penalty, whose value is the least along every way on which
// A w stays) always exists, so that sets without a unique minimum need not be looked at.
double least_squares_value(const LeastSquares& p) {
  const Index n = p.a.cols();
  double least = p.sum_to_one ? std::numeric_limits<double>::infinity() : p.value(VectorXd::Zero(n));
  for (unsigned set = 1; set < 1u << n; ++set) {
    std::vector<Index> members;
    for (Index j = 0; j < n; ++j)
      if (set >> j & 1u) members.push_back(j);
    const auto count = static_cast<Index>(members.size());
    MatrixXd kkt = MatrixXd::Zero(count + 1, count + 1);
    VectorXd right = VectorXd::Zero(count + 1);
    const MatrixXd a = p.a(Eigen::all, members);
    kkt.topLeftCorner(count, count) = a.transpose() * a;
    right.head(count) = a.transpose() * p.b;
    for (Index k = 0; k < count && p.penalty.size() > 0; ++k)
      right[k] -= p.penalty[members[static_cast<std::size_t>(k)]] / 2;
    if (p.sum_to_one) {
      kkt.topRightCorner(count, 1).setOnes();
      kkt.bottomLeftCorner(1, count).setOnes();
      right[count] = 1;
    } else {
      kkt(count, count) = 1;
    }
    const Eigen::FullPivLU<MatrixXd> lu(kkt);
    if (lu.rank() <= count) continue;
    const VectorXd z = lu.solve(right);
    if (count > 0 && z.head(count).minCoeff() < 0) continue;
    VectorXd w = VectorXd::Zero(n);
    w(members) = z.head(count);
    least = std::min(least, p.value(w));
  }
  return least;
}

// Karush, Kuhn and Tucker: w >= 0; half the slope g of the objective (with the multiplier of the sum, where there is
// one) is zero where w > 0 and not negative elsewhere.
void expect_minimum(const LeastSquares& p, const NonNegativeSolution& solution, double tolerance) {
  ASSERT_TRUE(solution.converged);
  const VectorXd w = vector_of(solution.w);
  EXPECT_GE(w.minCoeff(), 0);
  VectorXd g = p.a.transpose() * (p.a * w - p.b);
  if (p.penalty.size() > 0) g += p.penalty / 2;
  if (p.sum_to_one) {
    EXPECT_NEAR(w.sum(), 1, 4e-16 * static_cast<double>(w.size()));
    g.array() -= g.dot(w);
  }
  const double scale = p.a.colwise().norm().maxCoeff() * (p.a.norm() * w.norm() + p.b.norm());
  for (Index j = 0; j < w.size(); ++j) {
    if (w[j] > 0) {
      EXPECT_NEAR(g[j], 0, tolerance * scale) << "unknown " << j;
    } else {
      EXPECT_GE(g[j], -tolerance * scale) << "unknown " << j;
    }
  }
}

TEST(NonNegativeLeastSquares, IsTheLeastOfAllSets) {
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const Index unknowns : {1, 2, 5, 8})
      for (const Index rows : {2, 4, 12})  // fewer than unknowns, too
        for (const bool sum_to_one : {false, true})
          for (const bool penalised : {false, true}) {
            const LeastSquares p = random_problem(rows, unknowns, sum_to_one, penalised, seed);
            const NonNegativeSolution solution = p.solve();
            expect_minimum(p, solution, 1e-12);
            const double least = least_squares_value(p);
            EXPECT_NEAR(p.value(vector_of(solution.w)), least, 1e-11 * (1 + least))
                << "seed " << seed << ", " << rows << " x " << unknowns << (sum_to_one ? ", sum" : "")
                << (penalised ? ", penalised" : "");
          }
}

TEST(NonNegativeLeastSquares, LargeProblemsFulfilTheConditions) {
  for (const Index rows : {40, 225, 900})
    for (const bool sum_to_one : {false, true})
      for (const bool penalised : {false, true}) {
        const LeastSquares p = random_problem(rows, 500, sum_to_one, penalised, 3);
        const NonNegativeSolution solution = p.solve();
        expect_minimum(p, solution, 1e-11);
        EXPECT_LT(solution.changes, 1500);
      }
}

// Columns that repeat, that are sums of others, and that vanish.
TEST(NonNegativeLeastSquares, ColumnsThatDependOnEachOther) {
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const bool sum_to_one : {false, true})
      for (const bool penalised : {false, true}) {
        LeastSquares p = random_problem(10, 8, sum_to_one, penalised, seed);
        p.a.col(3) = p.a.col(1);
        p.a.col(5) = 0.25 * p.a.col(0) + 0.75 * p.a.col(2);
        p.a.col(6).setZero();
        p.a.col(7) = p.a.col(4);
        const NonNegativeSolution solution = p.solve();
        expect_minimum(p, solution, 1e-12);
        const double least = least_squares_value(p);
        EXPECT_NEAR(p.value(vector_of(solution.w)), least, 1e-11 * (1 + least)) << "seed " << seed;
      }
}

// With A the identity and the sum given, the answer is the projection onto the simplex, known in closed form: all parts
// lowered by one number, which sorting finds (Held, Wolfe and Crowder 1974), cut off at zero.
TEST(NonNegativeLeastSquares, ProjectsOntoTheSimplex) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    LeastSquares p = random_problem(30, 30, true, false, seed);
    p.a.setIdentity();
    std::vector<double> sorted(p.b.data(), p.b.data() + p.b.size());
    std::sort(sorted.rbegin(), sorted.rend());
    double sum = 0, lowered = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      const double candidate = (sum - 1) / static_cast<double>(k + 1);
      if (sorted[k] > candidate) lowered = candidate;
    }
    const std::vector<double> w = p.solve().w;
    for (Index j = 0; j < p.b.size(); ++j)
      EXPECT_NEAR(w[static_cast<std::size_t>(j)], std::max(p.b[j] - lowered, 0.0), 1e-14);
  }
}

// A point and the corners of a tetrahedron: barycentric weights inside, the closest point outside.
TEST(NonNegativeLeastSquares, FindsTheClosestPointOfAHull) {
  LeastSquares p;
  p.a = MatrixXd(3, 4);
  p.a << 0, 1, 0, 0,  //
      0, 0, 1, 0,     //
      0, 0, 0, 1;
  p.sum_to_one = true;
  p.b = Eigen::Vector3d(0.2, 0.3, 0.1);
  NonNegativeSolution solution = p.solve();
  EXPECT_NEAR(squared_residual(p.equations(), solution.w), 0, 1e-16);
  EXPECT_NEAR(solution.w[0], 0.4, 1e-14);
  p.b = Eigen::Vector3d(-2, 0.25, 0.5);
  solution = p.solve();
  EXPECT_NEAR(squared_residual(p.equations(), solution.w), 4, 1e-14);
  EXPECT_EQ(solution.w[1], 0);
  EXPECT_NEAR(solution.w[2], 0.25, 1e-14);
}

TEST(NonNegativeLeastSquares, AStartChangesNothingButTheWork) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const bool sum_to_one : {false, true}) {
      const LeastSquares p = random_problem(60, 25, sum_to_one, true, seed);
      const NormalEquations equations = p.equations();
      NonNegativeOptions options = p.options();
      const NonNegativeSolution cold = non_negative_least_squares(equations, options);
      options.start = cold.w;
      const NonNegativeSolution warm = non_negative_least_squares(equations, options);
      EXPECT_EQ(warm.changes, 1);
      std::vector<double> elsewhere(25);
      for (std::size_t j = 0; j < elsewhere.size(); ++j) elsewhere[j] = cold.w[j] > 0 ? 0 : 3;
      options.start = elsewhere;
      const NonNegativeSolution other = non_negative_least_squares(equations, options);
      for (std::size_t j = 0; j < 25; ++j) {
        EXPECT_NEAR(warm.w[j], cold.w[j], 1e-13);
        EXPECT_NEAR(other.w[j], cold.w[j], 1e-12);
      }
    }
}

TEST(NonNegativeLeastSquares, ScalesAsTheProblemDoes) {
  const LeastSquares p = random_problem(40, 12, false, false, 5);
  const std::vector<double> w = p.solve().w;
  for (const double factor : {1e-9, 1e7}) {
    LeastSquares scaled = p;
    for (Index j = 0; j < 12; ++j) scaled.a.col(j) *= j % 2 == 0 ? factor : 1;
    const std::vector<double> other = scaled.solve().w;
    for (std::size_t j = 0; j < 12; ++j) EXPECT_NEAR(other[j] * (j % 2 == 0 ? factor : 1), w[j], 1e-12);
  }
}

// What the paper's L1 term does where the sum is a row of weight omega: with w >= 0,
//   omega^2 (s - 1)^2 + c s = omega^2 (s - (1 - c / (2 omega^2)))^2 + constant,   s = sum(w),
// so that it asks for a smaller sum and for nothing else.
TEST(NonNegativeLeastSquares, OnePenaltyForAllOnlyLowersTheSumThatARowAsksFor) {
  constexpr double omega = 3, c = 0.7;
  LeastSquares with = random_problem(31, 14, false, false, 8);
  with.a.row(30).setConstant(omega);
  with.b[30] = omega;
  const double unpenalised_sum = vector_of(with.solve().w).sum();
  LeastSquares without = with;
  without.b[30] = omega * (1 - c / (2 * omega * omega));
  with.penalty = VectorXd::Constant(14, c);
  const std::vector<double> w = with.solve().w, v = without.solve().w;
  for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], v[j], 1e-13);
  EXPECT_LT(vector_of(w).sum(), unpenalised_sum);
}

TEST(NonNegativeLeastSquares, OnePenaltyForAllChangesNothingWhereTheSumIsGiven) {
  LeastSquares p = random_problem(30, 14, true, false, 9);
  const std::vector<double> w = p.solve().w;
  p.penalty = VectorXd::Constant(14, 25.0);
  const std::vector<double> v = p.solve().w;
  for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], v[j], 1e-13);
  p.penalty[0] = 1e6;  // but those that differ do
  EXPECT_EQ(p.solve().w[0], 0);
}

TEST(NonNegativeLeastSquares, SomeUnknownsAlone) {
  const LeastSquares p = random_problem(20, 6, true, false, 4);
  const std::vector<int> kept{4, 0, 5};
  LeastSquares few = p;
  few.a = p.a(Eigen::all, kept);
  const std::vector<double> w = non_negative_least_squares(reduced(p.equations(), kept), p.options()).w;
  const std::vector<double> expected = few.solve().w;
  for (std::size_t j = 0; j < kept.size(); ++j) EXPECT_NEAR(w[j], expected[j], 1e-14);
  EXPECT_NEAR(squared_residual(few.equations(), w), few.value(vector_of(w)), 1e-12);
}

TEST(NonNegativeLeastSquares, NothingToSolve) {
  const NonNegativeSolution none = non_negative_least_squares({});
  EXPECT_TRUE(none.converged);
  EXPECT_TRUE(none.w.empty());
  LeastSquares away = random_problem(10, 4, false, false, 1);
  away.a = away.a.cwiseAbs();
  away.b = -away.b.cwiseAbs();
  EXPECT_EQ(away.solve().w, std::vector<double>(4, 0.0));
}

TEST(NonNegativeLeastSquares, RefusesWhatDoesNotFit) {
  NormalEquations equations = random_problem(10, 4, false, false, 1).equations();
  const std::vector<double> three(3);
  test::refusal(ErrorKind::usage, [&] { non_negative_least_squares(equations, {.penalty = three}); });
  test::refusal(ErrorKind::usage, [&] { non_negative_least_squares(equations, {.start = three}); });
  test::refusal(ErrorKind::usage, [&] { normal_equations(three, 2); });
  equations.right[2] = std::numeric_limits<double>::quiet_NaN();
  test::refusal(ErrorKind::simulation, [&] { non_negative_least_squares(equations); });
}

}  // namespace
}  // namespace sinew
