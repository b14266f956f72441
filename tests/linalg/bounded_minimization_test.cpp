#include "sinew/linalg/bounded/bounded_minimization.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

double rosenbrock(std::span<const double> x, std::span<double> g) {
  const double a = 1 - x[0], b = x[1] - x[0] * x[0];
  g[0] = -2 * a - 400 * b * x[0];
  g[1] = 200 * b;
  return a * a + 100 * b * b;
}

BoundedMinimizationOptions precise() {
  BoundedMinimizationOptions options;
  options.iterations = 500;
  options.evaluations = 1000;
  options.relative_decrease = 1e-15;
  return options;
}

TEST(BoundedMinimization, FindsTheMinimumOfRosenbrockInside) {
  const std::vector<double> lower{-2, -2}, upper{2, 2};
  std::vector<double> x{-1.2, 1};
  const BoundedMinimum minimum = minimize_in_box(rosenbrock, lower, upper, x, precise());
  EXPECT_TRUE(minimum.converged);
  EXPECT_NEAR(x[0], 1, 1e-5);
  EXPECT_NEAR(x[1], 1, 1e-5);
  EXPECT_LT(minimum.value, 1e-9);
  EXPECT_GT(minimum.iterations, 5);
}

// With x <= 0.5 the least value is (1 - 0.5)^2, at (0.5, 0.25). The start lies outside.
TEST(BoundedMinimization, FindsTheMinimumOfRosenbrockAtABound) {
  const std::vector<double> lower{-2, -2}, upper{0.5, 2};
  std::vector<double> x{7, -9};
  const BoundedMinimum minimum = minimize_in_box(rosenbrock, lower, upper, x, precise());
  EXPECT_EQ(x[0], 0.5);
  EXPECT_NEAR(x[1], 0.25, 1e-6);
  EXPECT_NEAR(minimum.value, 0.25, 1e-10);
}

TEST(BoundedMinimization, BoundsWithoutRoomHold) {
  const std::vector<double> lower{0.3, -2}, upper{0.3, 2};
  std::vector<double> x{0, 0};
  minimize_in_box(rosenbrock, lower, upper, x, precise());
  EXPECT_EQ(x[0], 0.3);
  EXPECT_NEAR(x[1], 0.09, 1e-6);
}

TEST(BoundedMinimization, ManyUnknownsOfAConvexFunction) {
  const std::size_t n = 200;
  const auto function = [&](std::span<const double> x, std::span<double> g) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double k = 1 + 10.0 * static_cast<double>(i), d = x[i] - 2 * std::sin(static_cast<double>(i));
      sum += 0.5 * k * d * d;
      g[i] = k * d;
    }
    return sum;
  };
  const std::vector<double> lower(n, -1), upper(n, 1);
  std::vector<double> x(n, 0);
  minimize_in_box(function, lower, upper, x, precise());
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(x[i], std::clamp(2 * std::sin(static_cast<double>(i)), -1.0, 1.0), 1e-5);
}

// -log has no value beyond its wall; the first step, of unit length, lands there.
TEST(BoundedMinimization, AStepToWhereThereIsNoNumberIsShortened) {
  int without_number = 0;
  const auto function = [&](std::span<const double> x, std::span<double> g) {
    if (x[0] >= 1) {
      ++without_number;
      g[0] = std::numeric_limits<double>::quiet_NaN();
      return std::numeric_limits<double>::quiet_NaN();
    }
    g[0] = -4 + 1 / (1 - x[0]);
    return -4 * x[0] - std::log(1 - x[0]);
  };
  const std::vector<double> lower{-10}, upper{10};
  std::vector<double> x{0.5};
  const BoundedMinimum minimum = minimize_in_box(function, lower, upper, x, precise());
  EXPECT_GT(without_number, 0);
  EXPECT_NEAR(x[0], 0.75, 1e-5);
  EXPECT_NEAR(minimum.value, -3 + std::log(4.0), 1e-9);
}

TEST(BoundedMinimization, AStartWithoutANumberIsRefused) {
  const auto function = [](std::span<const double>, std::span<double> g) {
    g[0] = 0;
    return std::numeric_limits<double>::quiet_NaN();
  };
  const std::vector<double> lower{0}, upper{1};
  std::vector<double> x{0.5};
  EXPECT_NE(
      test::refusal(ErrorKind::simulation, [&] { minimize_in_box(function, lower, upper, x); }).find("at the start"),
      std::string::npos);
}

TEST(BoundedMinimization, StopsWhenAskedAtTheBestPointSoFar) {
  const std::vector<double> lower{-2, -2}, upper{2, 2};
  std::vector<double> x{-1.2, 1}, g(2), told;
  const BoundedMinimum minimum =
      minimize_in_box(rosenbrock, lower, upper, x, precise(), [&](int iteration, double value) {
        told.push_back(value);
        return iteration < 4;
      });
  EXPECT_FALSE(minimum.converged);
  EXPECT_EQ(minimum.iterations, 4);
  ASSERT_EQ(told.size(), 4u);
  EXPECT_LT(told[3], told[0]);
  EXPECT_EQ(rosenbrock(x, g), minimum.value);
  EXPECT_EQ(minimum.value, told[3]);
}

TEST(BoundedMinimization, EvaluationsAreCounted) {
  const std::vector<double> lower{-2, -2}, upper{2, 2};
  std::vector<double> x{-1.2, 1};
  BoundedMinimizationOptions options = precise();
  options.evaluations = 3;
  EXPECT_EQ(minimize_in_box(rosenbrock, lower, upper, x, options).evaluations, 3);
}

}  // namespace
}  // namespace sinew
