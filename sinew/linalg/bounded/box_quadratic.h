// Exact minimum of a small convex quadratic in a box, for fits that solve millions of problems with a few bounded
// unknowns each.
//
//   minimise 1/2 x^T A x - b^T x  subject to  lower <= x <= upper
#pragma once

#include <array>
#include <cstddef>

namespace sinew {

template <std::size_t n>
struct BoxQuadratic {
  std::array<std::array<double, n>, n> a{};  // symmetric, positive semi-definite
  std::array<double, n> b{};
  std::array<double, n> lower{}, upper{};  // lower <= upper; may be infinite
};

// Active set method: unknowns at a bound whose multiplier points inwards are released one at a time, and the step to
// the minimum of the free unknowns stops at the first bound that it meets. Every change of the set lowers the value, so
// that the method ends at the exact minimum (to rounding) after finitely many. `x` is the start, which is clamped to
// the box; it stays unchanged along directions in which A is singular (to 1e-13 of its diagonal).
template <std::size_t n>
std::array<double, n> minimize(const BoxQuadratic<n>& problem, std::array<double, n> x);

extern template std::array<double, 4> minimize(const BoxQuadratic<4>&, std::array<double, 4>);
extern template std::array<double, 5> minimize(const BoxQuadratic<5>&, std::array<double, 5>);
extern template std::array<double, 7> minimize(const BoxQuadratic<7>&, std::array<double, 7>);
extern template std::array<double, 10> minimize(const BoxQuadratic<10>&, std::array<double, 10>);

}  // namespace sinew
