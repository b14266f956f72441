// Small things that the sources of this folder share.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

inline constexpr double standard_gravity = 9.81;  // m/s^2

// The part of a vector that is parallel to the ground.
inline Vec3 level(const Vec3& v) { return {v.x, 0, v.z}; }

// The vector, shortened to a length where it is longer.
inline Vec3 shortened(const Vec3& v, double most) {
  const double length = norm(v);
  return length > most ? v * (most / length) : v;
}

}  // namespace sinew
