#include "sinew/bake/come_to_rest.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sinew {
namespace {

Vec3 vector_at(const std::vector<float>& values, std::size_t i) { return {values[i], values[i + 1], values[i + 2]}; }

double largest_rest(const Mat3& rotation, const Recording& recording) {
  double most = 0;
  for (const PartRecording& part : recording.parts) {
    const std::size_t width = 3 * static_cast<std::size_t>(part.vertices), last = part.displacement.size() - width;
    for (std::size_t i = 0; i < width; i += 3)
      most =
          std::max(most, distance(vector_at(part.displacement, last + i), rotation * vector_at(part.displacement, i)));
  }
  return most;
}

}  // namespace

double share_before_end(double time, double end, double seconds) {
  const double s = std::clamp(1 - (end - time) / seconds, 0.0, 1.0);
  return s * s * s * (10 + s * (6 * s - 15));
}

void come_to_rest(const Mat3& rotation, double seconds, double tolerance, Recording& recording,
                  std::vector<double>& curves) {
  const std::size_t frames = recording.times.size();
  if (frames < 2 || !(seconds > 0) || largest_rest(rotation, recording) <= tolerance) return;
  const std::size_t values = curves.size() / frames;
  for (std::size_t f = 1; f < frames; ++f) {
    const double share = share_before_end(recording.times[f], recording.times.back(), seconds);
    if (share <= 0) continue;
    for (PartRecording& part : recording.parts) {
      const std::size_t width = 3 * static_cast<std::size_t>(part.vertices);
      for (std::size_t i = 0; i < width; i += 3) {
        const Vec3 now = vector_at(part.displacement, f * width + i);
        const Vec3 d = now + share * (rotation * vector_at(part.displacement, i) - now);
        for (std::size_t k = 0; k < 3; ++k) part.displacement[f * width + i + k] = static_cast<float>(d[k]);
      }
    }
    for (std::size_t i = 0; i < values; ++i) curves[f * values + i] += share * (curves[i] - curves[f * values + i]);
  }
}

}  // namespace sinew
