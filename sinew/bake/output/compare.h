// How far two moving surfaces are apart: any two methods, or a file and the cache it was fitted to.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// A moving surface: world positions in metres of a fixed number of points over time.
struct Track {
  std::string name;  // for messages
  std::size_t points = 0;
  double start = 0, end = 0;  // seconds
  std::vector<double> times;  // of its frames, rising; empty where it is known at all times
  double height = 0;          // of the character, metres; 0 where unknown
  std::function<std::vector<Vec3>(double seconds)> positions_at;  // clamped to [start, end]
};

// The skinned, triangulated parts: those that get flesh, in part order.
std::vector<int> simulated_parts(const Character& character);

// World positions in metres of the simulated parts, one after the other, as the rig alone puts them.
std::vector<Vec3> rig_surface(const Character& character, std::span<const int> parts, const Pose& pose);

// The surface of `character` over one of its clips (null: the rest pose). Keeps references to both.
Track character_track(const Character& character, const Clip* clip);

struct FrameDifference {
  double time = 0;           // seconds
  double rms = 0, max = 0;   // metres, over all points
  std::size_t farthest = 0;  // the point with the largest distance
};

struct TrackDifference {
  double height = 0;  // metres: what percentages refer to
  std::vector<FrameDifference> frames;
  double rms = 0, max = 0;  // metres, over all frames and points
};

// The frames at which to compare: those of the first track that has frames, else `frames_per_second`
// over the span of the first, in each case where both are known.
std::vector<double> common_times(const Track& a, const Track& b, double frames_per_second);

// Point by point. The height is the first known of a's, b's, and a's extent along +Y at its first time.
// Throws usage_error where the tracks have different numbers of points or there is no common time.
TrackDifference compare(const Track& a, const Track& b, std::span<const double> times);

}  // namespace sinew
