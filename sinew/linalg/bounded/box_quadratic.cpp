#include "sinew/linalg/bounded/box_quadratic.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double singular = 1e-13;              // of the largest diagonal entry
constexpr double multiplier_tolerance = 1e-12;  // of the largest |b| or |A x|

template <std::size_t n>
using Vector = std::array<double, n>;

template <std::size_t n>
Vector<n> descent_direction(const BoxQuadratic<n>& problem, const Vector<n>& x) {
  Vector<n> g = problem.b;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) g[i] -= problem.a[i][j] * x[j];
  return g;
}

// Step of the free unknowns to their own minimum: A_ff s = g_f by Cholesky; vanishing pivots give no step.
template <std::size_t n>
Vector<n> free_step(const BoxQuadratic<n>& problem, const std::array<bool, n>& is_free, const Vector<n>& g,
                    double floor) {
  std::array<Vector<n>, n> l{};
  Vector<n> y{}, s{};
  std::array<bool, n> used{};
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_free[i]) continue;
    double pivot = problem.a[i][i];
    for (std::size_t j = 0; j < i; ++j) {
      if (!used[j]) continue;
      double sum = problem.a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
      pivot -= l[i][j] * l[i][j];
    }
    if (pivot <= floor) {
      l[i] = {};
      continue;
    }
    used[i] = true;
    l[i][i] = std::sqrt(pivot);
    double sum = g[i];
    for (std::size_t k = 0; k < i; ++k) sum -= l[i][k] * y[k];
    y[i] = sum / l[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (!used[i]) continue;
    double sum = y[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= l[k][i] * s[k];
    s[i] = sum / l[i][i];
  }
  return s;
}

}  // namespace

template <std::size_t n>
std::array<double, n> minimize(const BoxQuadratic<n>& problem, std::array<double, n> x) {
  double diagonal = 0, scale = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::clamp(x[i], problem.lower[i], problem.upper[i]);
    diagonal = std::max(diagonal, problem.a[i][i]);
    scale = std::max(scale, std::abs(problem.b[i]));
  }
  scale = std::max(scale, diagonal);
  std::array<bool, n> is_free{};
  for (std::size_t i = 0; i < n; ++i) is_free[i] = x[i] > problem.lower[i] && x[i] < problem.upper[i];

  // The limit is never reached in practice: more than two changes for each of the 3^n states would be a cycle of
  // rounding.
  for (std::size_t round = 0; round < 64 * n; ++round) {
    const Vector<n> g = descent_direction(problem, x);
    const Vector<n> s = free_step(problem, is_free, g, singular * diagonal);
    double share = 1;
    std::size_t blocking = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_free[i] || s[i] == 0) continue;
      const double room = (s[i] > 0 ? problem.upper[i] : problem.lower[i]) - x[i];
      if (s[i] * share / room > 1 || room == 0) {
        share = room / s[i];
        blocking = i;
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      if (is_free[i]) x[i] = std::clamp(x[i] + share * s[i], problem.lower[i], problem.upper[i]);
    if (blocking < n) {
      x[blocking] = s[blocking] > 0 ? problem.upper[blocking] : problem.lower[blocking];
      is_free[blocking] = false;
      continue;
    }
    // At the minimum of the free unknowns: find the one with the strongest pull away from its bound.
    const Vector<n> now = descent_direction(problem, x);
    std::size_t release = n;
    double most = multiplier_tolerance * scale;
    for (std::size_t i = 0; i < n; ++i) {
      if (is_free[i] || problem.upper[i] <= problem.lower[i] || problem.a[i][i] <= singular * diagonal) continue;
      const double inwards = x[i] <= problem.lower[i] ? now[i] : -now[i];
      if (inwards > most) {
        most = inwards;
        release = i;
      }
    }
    if (release == n) return x;
    is_free[release] = true;
  }
  return x;
}

template std::array<double, 4> minimize(const BoxQuadratic<4>&, std::array<double, 4>);
template std::array<double, 5> minimize(const BoxQuadratic<5>&, std::array<double, 5>);
template std::array<double, 7> minimize(const BoxQuadratic<7>&, std::array<double, 7>);
template std::array<double, 10> minimize(const BoxQuadratic<10>&, std::array<double, 10>);

}  // namespace sinew
