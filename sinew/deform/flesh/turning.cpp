#include "sinew/deform/flesh/turning.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/rotation.h"

namespace sinew {

double carried_by_turning(const Quat& before, const Quat& now, double seconds) {
  const double half_angle = std::acos(std::min(1.0, std::abs(dot(before, now))));
  return std::clamp((2 * half_angle / seconds - fast_turning) / (unseen_turning - fast_turning), 0.0, 1.0);
}

bool any_turns_fast(std::span<const Affine> before, std::span<const Affine> now, double seconds) {
  for (std::size_t b = 0; b < now.size(); ++b)
    if (carried_by_turning(closest_rotation(before[b].linear, Quat{}), closest_rotation(now[b].linear, Quat{}),
                           seconds) > 0)
      return true;
  return false;
}

}  // namespace sinew
