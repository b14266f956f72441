#include "sinew/deform/mixed/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

// x -> c + M x, M diagonal in a turned basis with entries up to 0.95: (0.95)^400 is what it would take to come to 1e-9.
TEST(FixedPointAcceleration, FindsFixedPointsOfSlowMaps) {
  constexpr std::size_t n = 12;
  test::Noise noise(3);
  std::vector<double> rate(n), fixed(n), mirror(n);
  double squared = 0;
  for (std::size_t i = 0; i < n; ++i) {
    rate[i] = i < 4 ? 0.95 - 0.2 * static_cast<double>(i) : 0.02 * noise();
    fixed[i] = noise();
    mirror[i] = noise();
    squared += mirror[i] * mirror[i];
  }
  const auto reflected = [&](std::vector<double> v) {
    double along = 0;
    for (std::size_t i = 0; i < n; ++i) along += v[i] * mirror[i];
    for (std::size_t i = 0; i < n; ++i) v[i] -= 2 * along / squared * mirror[i];
    return v;
  };
  const auto map = [&](const std::vector<double>& x) {
    std::vector<double> away(n);
    for (std::size_t i = 0; i < n; ++i) away[i] = x[i] - fixed[i];
    away = reflected(away);
    for (std::size_t i = 0; i < n; ++i) away[i] *= rate[i];
    away = reflected(away);
    for (std::size_t i = 0; i < n; ++i) away[i] += fixed[i];
    return away;
  };
  const auto error = [&](const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (x[i] - fixed[i]) * (x[i] - fixed[i]);
    return std::sqrt(sum);
  };
  FixedPointAcceleration acceleration;
  std::vector<double> x(n, 5.0), plain = x;
  for (int k = 0; k < 20; ++k) {
    acceleration.propose(x, map(x), x);
    plain = map(plain);
  }
  EXPECT_GT(error(plain), 0.1);
  EXPECT_LT(error(x), 1e-9);
  acceleration.restart();
  acceleration.propose(x, map(x), x);  // where it is already it stays
  EXPECT_LT(error(x), 1e-9);
}

// Differences that say nothing, as of a map that does not move, are no harm.
TEST(FixedPointAcceleration, StaysAtAFixedPoint) {
  FixedPointAcceleration acceleration;
  std::vector<double> x{1, 2, 3};
  for (int k = 0; k < 8; ++k) {
    acceleration.propose(x, x, x);
    EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));
  }
}

}  // namespace
}  // namespace sinew
