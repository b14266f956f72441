// Minimum of a small convex quadratic in a box, exactly: the least-squares problems of a few bounded unknowns that
// fitting solves by the million.
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

// By an active set: unknowns at a bound whose multiplier pulls inwards are set free one at a time, and the way to the
// free ones' own minimum stops at the first bound that it meets. Every change of the set lowers the value, so that it
// ends at the exact minimum after finitely many, to rounding. Directions in which A is singular (to 1e-13 of its
// diagonal) stay as in `x`, the start, which is brought into the box first.
template <std::size_t n>
std::array<double, n> minimize(const BoxQuadratic<n>& problem, std::array<double, n> x);

extern template std::array<double, 4> minimize(const BoxQuadratic<4>&, std::array<double, 4>);
extern template std::array<double, 5> minimize(const BoxQuadratic<5>&, std::array<double, 5>);
extern template std::array<double, 7> minimize(const BoxQuadratic<7>&, std::array<double, 7>);
extern template std::array<double, 10> minimize(const BoxQuadratic<10>&, std::array<double, 10>);

}  // namespace sinew
