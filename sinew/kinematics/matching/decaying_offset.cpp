#include "sinew/kinematics/matching/decaying_offset.h"

namespace sinew {

// (1 - t)^3 (a + b t + c t^2) has the value a, the slope b - 3 a and the second derivative 2 c - 6 b + 6 a at 0.
DecayingOffset::DecayingOffset(const OffsetHistory& history, double frames) : frames_(frames) {
  const Vec3 velocity = (3 * history.now - 4 * history.before + history.before_that) / 2 * frames;
  const Vec3 acceleration = (history.now - 2 * history.before + history.before_that) * (frames * frames);
  coefficients_[0] = history.now;
  coefficients_[1] = velocity + 3 * coefficients_[0];
  coefficients_[2] = acceleration / 2 + 3 * coefficients_[1] - 3 * coefficients_[0];
}

Vec3 DecayingOffset::at(double frame) const {
  if (!(frame < frames_)) return {};
  const double t = frame / frames_, rest = 1 - t;
  return (rest * rest * rest) * (coefficients_[0] + t * (coefficients_[1] + t * coefficients_[2]));
}

}  // namespace sinew
