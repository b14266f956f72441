#include "sinew/character/channel.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Where a time falls between the keys of a channel: key `index` and the fraction of the way to the
// next one; outside of the keys the fraction is 0 and the index that of the first or last key.
struct KeyPosition {
  std::size_t index = 0;
  double fraction = 0;
  double interval = 0;  // seconds between the two keys
};

// Key times are single precision: a key that is meant to fall on a frame may be written a little after it. Seconds.
double rounding_of_key(double time) { return 1e-6 + 1.2e-7 * std::abs(time); }

// The jump of a STEP key, or of two keys at one time, counts for what falls on it but for rounding.
bool is_reached(const std::vector<double>& times, std::size_t key, double seconds, bool step) {
  const double rounding = rounding_of_key(times[key]);
  return times[key] - seconds <= rounding && (step || times[key] - times[key - 1] <= rounding);
}

KeyPosition locate(const std::vector<double>& times, double seconds, bool step) {
  if (!(seconds > times.front())) return {};
  if (seconds >= times.back()) return {times.size() - 1, 0, 0};
  auto next = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), seconds) - times.begin());
  while (next < times.size() && is_reached(times, next, seconds, step)) ++next;
  if (next == times.size()) return {next - 1, 0, 0};
  const std::size_t index = next - 1;
  const double interval = times[next] - times[index];
  return {index, std::max(0.0, seconds - times[index]) / interval, interval};
}

Quat to_quat(std::span<const double> v) { return {v[0], v[1], v[2], v[3]}; }

}  // namespace

void evaluate(const Channel& channel, double seconds, std::span<double> result) {
  const auto width = static_cast<std::size_t>(channel.components);
  const KeyPosition at = locate(channel.times, seconds, channel.interpolation == Interpolation::step);
  const std::span<const double> values(channel.values);
  const bool between = at.fraction > 0;

  if (channel.interpolation == Interpolation::cubic_spline) {
    const auto element = [&](std::size_t key, std::size_t part) {
      return values.subspan((3 * key + part) * width, width);
    };
    const auto value = element(at.index, 1);
    std::copy(value.begin(), value.end(), result.begin());
    if (!between) return;
    // Appendix C.5: Hermite basis; tangents are per second and scaled by the interval.
    const double t = at.fraction, t2 = t * t, t3 = t2 * t;
    const double h_value = 2 * t3 - 3 * t2 + 1, h_out = at.interval * (t3 - 2 * t2 + t);
    const double h_next = 3 * t2 - 2 * t3, h_in = at.interval * (t3 - t2);
    const auto out_tangent = element(at.index, 2), next_value = element(at.index + 1, 1),
               in_tangent = element(at.index + 1, 0);
    for (std::size_t c = 0; c < width; ++c)
      result[c] = h_value * value[c] + h_out * out_tangent[c] + h_next * next_value[c] + h_in * in_tangent[c];
    return;
  }

  const auto value = values.subspan(at.index * width, width);
  std::copy(value.begin(), value.end(), result.begin());
  if (!between || channel.interpolation == Interpolation::step) return;
  const auto next_value = values.subspan((at.index + 1) * width, width);
  if (std::equal(value.begin(), value.end(), next_value.begin())) return;  // A held value keeps its bits.
  if (channel.path == ChannelPath::rotation) {
    const Quat q = slerp(to_quat(value), to_quat(next_value), at.fraction);
    result[0] = q.x;
    result[1] = q.y;
    result[2] = q.z;
    result[3] = q.w;
    return;
  }
  for (std::size_t c = 0; c < width; ++c) result[c] = value[c] + at.fraction * (next_value[c] - value[c]);
}

}  // namespace sinew
