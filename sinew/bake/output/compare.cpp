#include "sinew/bake/output/compare.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/character/size.h"

namespace sinew {
namespace {

// Times in float files are rounded: times closer than this are equal.
constexpr double same_time = 1e-4;

double extent_along_y(std::span<const Vec3> positions) {
  if (positions.empty()) return 0;
  const auto [low, high] =
      std::minmax_element(positions.begin(), positions.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
  return high->y - low->y;
}

FrameDifference frame_difference(double time, std::span<const Vec3> a, std::span<const Vec3> b) {
  FrameDifference frame;
  frame.time = time;
  double squared_sum = 0, squared_max = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double squared = squared_norm(a[i] - b[i]);
    squared_sum += squared;
    if (squared <= squared_max) continue;
    squared_max = squared;
    frame.farthest = i;
  }
  frame.rms = a.empty() ? 0 : std::sqrt(squared_sum / static_cast<double>(a.size()));
  frame.max = std::sqrt(squared_max);
  return frame;
}

}  // namespace

std::vector<int> simulated_parts(const Character& character) {
  std::vector<int> parts;
  for (std::size_t i = 0; i < character.parts.size(); ++i)
    if (character.parts[i].skin >= 0 && character.parts[i].triangles) parts.push_back(static_cast<int>(i));
  return parts;
}

std::vector<Vec3> rig_surface(const Character& character, std::span<const int> parts, const Pose& pose) {
  std::vector<Vec3> surface;
  for (int index : parts)
    for (const Vec3& position : posed_positions(character, character.parts[static_cast<std::size_t>(index)], pose))
      surface.push_back(position * character.metres_per_unit);
  return surface;
}

Track character_track(const Character& character, const Clip* clip) {
  Track track;
  track.name = character.file;
  const std::vector<int> parts = simulated_parts(character);
  for (int index : parts) track.points += character.parts[static_cast<std::size_t>(index)].surface.positions.size();
  if (clip) {
    track.start = clip->start;
    track.end = clip->end;
  }
  track.height = decide_size(character, std::nullopt, std::nullopt).height_in_units * character.metres_per_unit;
  track.positions_at = [&character, clip, parts](double seconds) {
    return rig_surface(character, parts, sample(character.skeleton, clip, seconds));
  };
  return track;
}

std::vector<double> common_times(const Track& a, const Track& b, double frames_per_second) {
  if (!(frames_per_second > 0)) throw usage_error("The frame rate must be positive.");
  std::vector<double> times = a.times.empty() ? b.times : a.times;
  if (times.empty()) {
    const double frames = std::floor((a.end - a.start) * frames_per_second + same_time);
    for (double frame = 0; frame <= frames; ++frame) times.push_back(a.start + frame / frames_per_second);
  }
  const auto outside = [](const Track& track, double time) {
    return time < track.start - same_time || time > track.end + same_time;
  };
  std::erase_if(times, [&](double time) { return outside(a, time) || outside(b, time); });
  return times;
}

TrackDifference compare(const Track& a, const Track& b, std::span<const double> times) {
  if (a.points != b.points)
    throw usage_error(a.name + " has " + std::to_string(a.points) + " points and " + b.name + " has " +
                      std::to_string(b.points) + "; compare two files of the same character.");
  if (times.empty())
    throw usage_error(a.name + " and " + b.name +
                      " have no time in common; name the clip with --clip and the frame "
                      "rate of caches with --fps.");
  TrackDifference difference;
  difference.height = a.height > 0 ? a.height : b.height;
  double squared_sum = 0;
  for (double time : times) {
    const std::vector<Vec3> positions_a = a.positions_at(time), positions_b = b.positions_at(time);
    if (!(difference.height > 0)) difference.height = extent_along_y(positions_a);
    const FrameDifference frame = frame_difference(time, positions_a, positions_b);
    squared_sum += frame.rms * frame.rms;
    difference.max = std::max(difference.max, frame.max);
    difference.frames.push_back(frame);
  }
  difference.rms = std::sqrt(squared_sum / static_cast<double>(times.size()));
  return difference;
}

}  // namespace sinew
