// Hill's curves of skeletal muscle, relative to the largest isometric stress: the active force by length (a bell of
// parabolas) and the passive force by stretch, after Zajac (1989) and Blemker et al. (2005), as Teran et al. (2005)
// have them, and the force by velocity. fibre_kernel.cpp has them in vector lanes.
#pragma once

#include <algorithm>
#include <cmath>

namespace sinew::hill {

// The bell: 1 - 4 y^2 within `shoulder` of the optimal length, 9 (foot - |y|)^2 up to `foot`, y = length - 1.
inline constexpr double shoulder = 0.4, foot = 0.6;
// Work from `foot` below the optimal length to that length.
inline constexpr double half_work = 0.4 - 4.0 / 3 * 0.4 * 0.4 * 0.4 + 3 * 0.2 * 0.2 * 0.2;
// The passive force: first (exp(rate e) - 1) of a strain e > 0, and a line from `last` on.
inline constexpr double passive_first = 0.05, passive_rate = 6.6, passive_last = 0.4;
// Velocity, in optimal lengths per second, at which a fibre that shortens has no force; and the shapes of the curve.
inline constexpr double fastest = 10, curvature = 0.25, most_lengthening = 1.4, lengthening = 0.08;

// Active force at a length, in optimal lengths.
inline double active_force(double length) {
  const double y = std::min(std::abs(length - 1), foot);
  return y < shoulder ? 1 - 4 * y * y : 9 * (foot - y) * (foot - y);
}
// Its derivative by the length.
inline double active_slope(double length) {
  const double y = length - 1, size = std::min(std::abs(y), foot);
  return size < shoulder ? -8 * y : std::copysign(18 * (foot - size), -y);
}
// Its integral from zero length.
inline double active_work(double length) {
  const double y = length - 1, size = std::min(std::abs(y), foot), left = foot - size;
  const double from_optimum =
      size < shoulder ? size - 4.0 / 3 * size * size * size : half_work - 3 * left * left * left;
  return half_work + std::copysign(from_optimum, y);
}

// Passive force at a strain of the fibre.
inline double passive_force(double strain) {
  if (!(strain > 0)) return 0;
  const double e = std::min(strain, passive_last), grown = std::exp(passive_rate * e);
  return passive_first * (grown - 1 + passive_rate * grown * (strain - e));
}
inline double passive_slope(double strain) {
  return strain > 0 ? passive_first * passive_rate * std::exp(passive_rate * std::min(strain, passive_last)) : 0;
}
inline double passive_work(double strain) {
  if (!(strain > 0)) return 0;
  const double e = std::min(strain, passive_last), grown = std::exp(passive_rate * e), more = strain - e;
  return passive_first *
         ((grown - 1) / passive_rate - e + (grown - 1) * more + 0.5 * passive_rate * grown * more * more);
}

// Factor of the active force at a velocity, in optimal lengths per second, positive as the fibre lengthens.
inline double velocity_factor(double velocity) {
  const double v = std::max(velocity / fastest, -1.0);
  return v < 0 ? (1 + v) / (1 - v / curvature) : 1 + (most_lengthening - 1) * v / (v + lengthening);
}

}  // namespace sinew::hill
