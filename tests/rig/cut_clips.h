// A tube whose clip sways it, and what can be done to a clip: cuts, keys that hold.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/character/two_bones.h"

namespace sinew::test {

// A metre high, on two joints.
inline Character plain_tube() {
  Character character = two_bone_tube(24, 16, 1, 0.12, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  });
  character.file = "tube";
  return character;
}

// The swing of the tube, sampled `rate` times a second for `seconds`.
inline Clip sampled_swing(double rate, double seconds, Interpolation interpolation = Interpolation::linear) {
  Clip clip{"swing", {}, 0, seconds};
  Channel bend{2, ChannelPath::rotation, interpolation, {}, 4, {}},
      shake{1, ChannelPath::translation, interpolation, {}, 3, {}};
  const auto keys = static_cast<int>(std::lround(rate * seconds));
  for (int k = 0; k <= keys; ++k) {
    const double t = k / rate, angle = 0.5 * std::sin(2 * pi * t);
    for (Channel* channel : {&bend, &shake}) channel->times.push_back(t);
    bend.values.insert(bend.values.end(), {0, 0, std::sin(angle / 2), std::cos(angle / 2)});
    shake.values.insert(shake.values.end(), {0.05 * std::sin(2 * pi * t), 0, 0});
  }
  clip.channels = {bend, shake};
  return clip;
}

// From `time` on everything is `jump` metres farther: a teleport within the keys' interval.
inline void teleport(Clip& clip, double time, const Vec3& jump) {
  Channel& shake = clip.channels[1];
  for (std::size_t k = 0; k < shake.times.size(); ++k)
    if (shake.times[k] >= time - 1e-6)
      for (std::size_t axis = 0; axis < 3; ++axis) shake.values[3 * k + axis] += jump[axis];
}

}  // namespace sinew::test
