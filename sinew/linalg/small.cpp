#include "sinew/linalg/small.h"

namespace sinew {

Quat slerp(const Quat& a, const Quat& b, double t) {
  double cosine = dot(a, b);
  const double sign = cosine < 0 ? -1.0 : 1.0;
  cosine *= sign;
  double weight_a = 1 - t, weight_b = t;
  // Near-parallel quaternions: the chord is the arc to rounding, and 1 / sin would lose digits.
  if (cosine < 1 - 1e-9) {
    const double angle = std::acos(cosine), inverse_sine = 1 / std::sin(angle);
    weight_a = std::sin((1 - t) * angle) * inverse_sine;
    weight_b = std::sin(t * angle) * inverse_sine;
  }
  weight_b *= sign;
  return normalized(Quat{weight_a * a.x + weight_b * b.x, weight_a * a.y + weight_b * b.y,
                         weight_a * a.z + weight_b * b.z, weight_a * a.w + weight_b * b.w});
}

Quat to_quaternion(const Mat3& r) {
  // The largest of the four squared components is divided by, so that none loses digits.
  const double w2 = 1 + trace(r);
  const double x2 = 1 + r(0, 0) - r(1, 1) - r(2, 2);
  const double y2 = 1 - r(0, 0) + r(1, 1) - r(2, 2);
  const double z2 = 1 - r(0, 0) - r(1, 1) + r(2, 2);
  if (w2 >= x2 && w2 >= y2 && w2 >= z2)
    return normalized(Quat{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1), w2});
  if (x2 >= y2 && x2 >= z2) return normalized(Quat{x2, r(0, 1) + r(1, 0), r(0, 2) + r(2, 0), r(2, 1) - r(1, 2)});
  if (y2 >= z2) return normalized(Quat{r(0, 1) + r(1, 0), y2, r(1, 2) + r(2, 1), r(0, 2) - r(2, 0)});
  return normalized(Quat{r(0, 2) + r(2, 0), r(1, 2) + r(2, 1), z2, r(1, 0) - r(0, 1)});
}

}  // namespace sinew
