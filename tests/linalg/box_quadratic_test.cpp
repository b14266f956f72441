#include "sinew/linalg/bounded/box_quadratic.h"
#include "tests/dense_algebra.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

namespace sinew {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

template <std::size_t n>
double value(const BoxQuadratic<n>& q, const std::array<double, n>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum -= q.b[i] * x[i];
    for (std::size_t j = 0; j < n; ++j) sum += 0.5 * x[i] * q.a[i][j] * x[j];
  }
  return sum;
}

// Least squares of `rows` random rows: of full rank where there are at least n.
template <std::size_t n>
BoxQuadratic<n> random_problem(std::size_t rows, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  BoxQuadratic<n> q;
  for (std::size_t r = 0; r < rows; ++r) {
    std::array<double, n> row;
    for (double& v : row) v = normal(generator);
    const double target = 2 * normal(generator);
    for (std::size_t i = 0; i < n; ++i) {
      q.b[i] += row[i] * target;
      for (std::size_t j = 0; j < n; ++j) q.a[i][j] += row[i] * row[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    q.lower[i] = 0.3 * normal(generator) - 0.5;
    q.upper[i] = q.lower[i] + std::abs(normal(generator));
  }
  return q;
}

// The least value over all 3^n faces of the box whose own minimum lies in them.
template <std::size_t n>
double least_value(const BoxQuadratic<n>& q) {
  double least = std::numeric_limits<double>::infinity();
  std::size_t faces = 1;
  for (std::size_t i = 0; i < n; ++i) faces *= 3;
  for (std::size_t face = 0; face < faces; ++face) {
    std::array<double, n> x{};
    std::vector<std::size_t> free;
    for (std::size_t i = 0, code = face; i < n; ++i, code /= 3) {
      if (code % 3 == 2)
        free.push_back(i);
      else
        x[i] = code % 3 == 0 ? q.lower[i] : q.upper[i];
    }
    const auto count = static_cast<Index>(free.size());
    MatrixXd a(count, count);
    VectorXd b(count);
    for (Index r = 0; r < count; ++r) {
      const std::size_t i = free[static_cast<std::size_t>(r)];
      b[r] = q.b[i];
      for (std::size_t j = 0; j < n; ++j) b[r] -= q.a[i][j] * x[j];  // those that are free are zero
      for (Index c = 0; c < count; ++c) a(r, c) = q.a[i][free[static_cast<std::size_t>(c)]];
    }
    const VectorXd s = count > 0 ? VectorXd(test::least_squares(a, b)) : b;
    bool inside = true;
    for (Index r = 0; r < count; ++r) {
      const std::size_t i = free[static_cast<std::size_t>(r)];
      x[i] = s[r];
      inside = inside && s[r] >= q.lower[i] && s[r] <= q.upper[i];
    }
    if (inside) least = std::min(least, value(q, x));
  }
  return least;
}

template <std::size_t n>
void expect_inside(const BoxQuadratic<n>& q, const std::array<double, n>& x) {
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_GE(x[i], q.lower[i]);
    EXPECT_LE(x[i], q.upper[i]);
  }
}

template <std::size_t n>
void expect_least(std::size_t rows, unsigned seed) {
  std::mt19937 generator(seed);
  const BoxQuadratic<n> q = random_problem<n>(rows, generator);
  std::array<double, n> start;
  std::uniform_real_distribution<double> anywhere(-3, 3);
  for (double& v : start) v = anywhere(generator);
  const std::array<double, n> x = minimize(q, start);
  expect_inside(q, x);
  const double least = least_value(q);
  EXPECT_NEAR(value(q, x), least, 1e-10 * (1 + std::abs(least))) << "seed " << seed;
}

TEST(BoxQuadratic, IsTheLeastOfAllFaces) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    expect_least<4>(8, seed);
    expect_least<5>(9, seed);
  }
}

// Fewer rows than unknowns: there are many minima, but only one least value. A minimum in a face with as many free
// unknowns as rows always exists, so that the enumeration finds it.
TEST(BoxQuadratic, SingularProblemsReachTheLeastValueToo) {
  for (unsigned seed = 0; seed < 300; ++seed)
    for (const std::size_t rows : {1u, 2u, 3u}) {
      expect_least<4>(rows, seed);
      expect_least<5>(rows, seed + 1000);
    }
}

TEST(BoxQuadratic, DirectionsWithoutCurvatureStayAtTheStart) {
  BoxQuadratic<4> q;
  q.a[0][0] = 2;
  q.b[0] = 1;
  q.upper = {1, 1, 1, 1};
  const std::array<double, 4> x = minimize(q, {0.9, 0.3, -2.0, 5.0});
  EXPECT_DOUBLE_EQ(x[0], 0.5);
  EXPECT_EQ(x[1], 0.3);
  EXPECT_EQ(x[2], 0);  // brought into the box
  EXPECT_EQ(x[3], 1);
  EXPECT_EQ(minimize(BoxQuadratic<4>{.a = {}, .b = {}, .lower = {}, .upper = q.upper}, {0.1, 0.2, 0.3, 0.4}),
            (std::array<double, 4>{0.1, 0.2, 0.3, 0.4}));
}

TEST(BoxQuadratic, UnknownsWithoutRoomStayWhereTheyAre) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 generator(seed);
    BoxQuadratic<5> q = random_problem<5>(8, generator);
    q.upper[1] = q.lower[1];
    q.upper[4] = q.lower[4];
    const std::array<double, 5> x = minimize(q, {0, 0, 0, 0, 0});
    EXPECT_EQ(x[1], q.lower[1]);
    EXPECT_EQ(x[4], q.lower[4]);
    EXPECT_NEAR(value(q, x), least_value(q), 1e-10 * (1 + std::abs(least_value(q))));
  }
}

TEST(BoxQuadratic, AScaledProblemHasTheSameMinimum) {
  std::mt19937 generator(7);
  const BoxQuadratic<5> q = random_problem<5>(8, generator);
  const std::array<double, 5> x = minimize(q, {0.5, 0.5, 0.5, 0.5, 0.5});
  for (const double scale : {1e-18, 1e12}) {
    BoxQuadratic<5> other = q;
    for (std::size_t i = 0; i < 5; ++i) {
      other.b[i] *= scale;
      for (double& v : other.a[i]) v *= scale;
    }
    const std::array<double, 5> y = minimize(other, {0.5, 0.5, 0.5, 0.5, 0.5});
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(x[i], y[i], 1e-12);
  }
}

}  // namespace
}  // namespace sinew
