// Clips: curves over time, and channels sampled from posed frames.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "skeleton.h"

namespace sinew::samples {

struct Key {
  double time, value;
  double slope = no_slope;
  static constexpr double no_slope = 1e30;  // chosen from the neighbours: flat at extremes, never overshooting
};

// A smooth curve through keys, constant before the first and after the last.
class Curve {
 public:
  Curve(std::initializer_list<Key> keys);
  double operator()(double time) const;

 private:
  std::vector<Key> keys_;
};

inline constexpr double frame_rate = 30;

struct Channel {
  Index joint = 0;
  bool is_translation = false;    // else rotation
  std::vector<double> time;       // seconds
  std::vector<Vec3> translation;  // local
  std::vector<Quat> rotation;     // local
};

struct Clip {
  std::string name;
  std::vector<Channel> channels;
};

// Samples `pose` at every frame from 0 to `frames` and drops the keys that linear interpolation
// restores to 0.01 degrees and 0.03 mm. `animated` lists the joints that get channels in any case,
// so that a player that changes clips leaves nothing behind.
Clip sample_clip(const std::string& name, const Skeleton& skeleton, int frames,
                 const std::vector<std::string>& animated, const std::function<void(double time, Pose& pose)>& pose);

}  // namespace sinew::samples
