// Arithmetic that gives the same bits with every compiler and C library: only +, -, *, / and sqrt,
// which IEEE 754 rounds exactly. The generator's files are compared byte for byte by a test, and
// the sine of two C libraries may differ in its last bit.
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/linalg/small.h"

namespace sinew::samples {

inline constexpr double pi = 3.14159265358979323846;

// Taylor series to x^17 on [-pi/2, pi/2]: error below 1e-13.
inline double sine(double x) {
  x -= 2 * pi * std::floor(x / (2 * pi) + 0.5);
  if (x > pi / 2) x = pi - x;
  if (x < -pi / 2) x = -pi - x;
  const double squared = x * x;
  double sum = 1;
  for (int power = 17; power >= 3; power -= 2) sum = 1 - sum * squared / (power * (power - 1));
  return x * sum;
}
inline double cosine(double x) { return sine(x + pi / 2); }

// Rotation by `degrees` about an axis of any length but zero.
inline Quat turn(const Vec3& axis, double degrees) {
  const double half = degrees * pi / 360;
  const Vec3 v = normalized(axis) * sine(half);
  return {v.x, v.y, v.z, cosine(half)};
}
inline Quat turn_x(double degrees) { return turn({1, 0, 0}, degrees); }
inline Quat turn_y(double degrees) { return turn({0, 1, 0}, degrees); }
inline Quat turn_z(double degrees) { return turn({0, 0, 1}, degrees); }

inline double mix(double a, double b, double t) { return a + (b - a) * t; }
inline Vec3 mix(const Vec3& a, const Vec3& b, double t) { return a + (b - a) * t; }

// 0 below `from`, 1 above `to`, with zero slope at both.
inline double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// 1 at distance zero, 0 from `radius` on, smooth at both.
inline double bump(double distance, double radius) {
  const double t = std::max(0.0, 1 - distance * distance / (radius * radius));
  return t * t;
}

inline Vec3 mirrored(const Vec3& p) { return {-p.x, p.y, p.z}; }

// Normalised linear interpolation along the shorter arc.
inline Quat blend(const Quat& a, const Quat& b, double t) {
  const double sign = dot(a, b) < 0 ? -1 : 1;
  const double s = 1 - t, u = sign * t;
  return normalized(Quat{s * a.x + u * b.x, s * a.y + u * b.y, s * a.z + u * b.z, s * a.w + u * b.w});
}

}  // namespace sinew::samples
