// Sums over vector fields, one vector per point.
#pragma once

#include <algorithm>
#include <span>

#include "sinew/linalg/small.h"

namespace sinew {

inline double inner_product(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v], b[v]);
  return sum;
}

inline double largest_norm(std::span<const Vec3> a) {
  double most = 0;
  for (const Vec3& x : a) most = std::max(most, norm(x));
  return most;
}

}  // namespace sinew
