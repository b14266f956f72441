// Smooth transition from 0 to 1.
#pragma once

#include <algorithm>

namespace sinew {

// 0 for t <= 0, 1 for t >= 1, and a cubic in between with slope 0 at both ends.
inline double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace sinew
