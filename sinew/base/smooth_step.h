// The smooth step: from 0 to 1 without a corner.
#pragma once

#include <algorithm>

namespace sinew {

// 0 up to t = 0, 1 from t = 1 on, with slope 0 at both.
inline double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace sinew
