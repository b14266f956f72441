// Clips: named animations as keyed channels, sampled exactly as glTF 2.0 defines them.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/skeleton.h"

namespace sinew {

enum class Interpolation { step, linear, cubic_spline };
enum class ChannelPath { translation, rotation, scale, weights };

struct Channel {
  int joint = -1;
  ChannelPath path = ChannelPath::translation;
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times;   // seconds, strictly increasing, at least one
  int components = 3;          // values per key: 3, 4 (rotation), or the number of morph targets
  std::vector<double> values;  // times.size() x components; cubic_spline: x 3 (in-tangent, value, out-tangent)
};

// Keys of properties of the file, which move no joint. Channel::joint is -1, Channel::path is weights.
struct PropertyChannel {
  std::vector<int> properties;  // index into Skeleton::properties of each of the keys' components
  Channel keys;
};

struct Clip {
  std::string name;
  std::vector<Channel> channels;
  double start = 0, end = 0;  // seconds: first and last key over all channels, and over those of custom properties
  std::vector<PropertyChannel> properties{};
};

// The pose at `seconds` on the clip's own time line; before the first and after the last key of a
// channel its end values hold. `clip` may be null: the rest pose.
Pose sample(const Skeleton& skeleton, const Clip* clip, double seconds);

// Work space for repeated sampling into an existing pose. Nothing is allocated once both were used with the skeleton.
struct SamplingSpace {
  std::vector<Transform> local;  // per joint
  std::vector<char> animated;
  std::vector<double> values;  // of a property channel
};
void sample(const Skeleton& skeleton, const Clip* clip, double seconds, SamplingSpace& space, Pose& pose);

}  // namespace sinew
