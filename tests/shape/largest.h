// The largest of vectors.
#pragma once

#include <algorithm>
#include <span>

#include "sinew/linalg/small.h"

namespace sinew::test {

inline double largest(std::span<const Vec3> vectors) {
  double largest = 0;
  for (const Vec3& vector : vectors) largest = std::max(largest, norm(vector));
  return largest;
}

}  // namespace sinew::test
