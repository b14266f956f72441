// Distance between two moving surfaces: of two methods, or of a file and the cache that it was fitted to.
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
  std::vector<double> times;  // times of its frames, ascending; empty if it is known at all times
  double height = 0;          // of the character, metres; 0 if unknown
  std::function<std::vector<Vec3>(double seconds)> positions_at;  // clamped to [start, end]
};

// Indices of the skinned, triangulated parts, which get flesh.
std::vector<int> simulated_parts(const Character& character);

// World positions, metres, of these parts in sequence, as the rig alone poses them.
std::vector<Vec3> rig_surface(const Character& character, std::span<const int> parts, const Pose& pose);

// The surface of `character` over one of its clips (null: the rest pose). Keeps references to both.
Track character_track(const Character& character, const Clip* clip);

struct FrameDifference {
  double time = 0;           // seconds
  double rms = 0, max = 0;   // metres, over all points
  std::size_t farthest = 0;  // index of the point with the largest distance
};

struct TrackDifference {
  double height = 0;  // metres; 100 % in reports
  std::vector<FrameDifference> frames;
  double rms = 0, max = 0;  // metres, over all frames and points
};

// Times at which both tracks are known: the frames of the first track that has frames, or `frames_per_second` over the
// span of `a`.
std::vector<double> common_times(const Track& a, const Track& b, double frames_per_second);

// Compares point by point. The height is a's, or else b's, or else the extent of `a` along +Y at its first time. Throws
// usage_error if the tracks have different numbers of points or no time in common.
TrackDifference compare(const Track& a, const Track& b, std::span<const double> times);

}  // namespace sinew
