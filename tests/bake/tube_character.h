// The tube on two joints, with clips that bend and shake it, and what is baked from it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/cook/flesh/prepare.h"
#include "tests/bake/bake_cooked.h"
#include "tests/character/two_bones.h"

namespace sinew::test {

// `unit`: metres per file unit; the character is one metre high whatever it is.
inline Character tube_character(double unit = 1) {
  const double metre = 1 / unit;
  Character character = two_bone_tube(24, 16, metre, 0.12 * metre, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  });
  character.file = "tube";
  character.metres_per_unit = unit;

  Clip clip;
  clip.name = "swing";
  clip.end = 1;
  Channel bend{2, ChannelPath::rotation, Interpolation::linear, {}, 4, {}},
      shake{1, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
  for (int k = 0; k <= 20; ++k) {
    const double t = k / 20.0, angle = 0.5 * std::sin(2 * pi * t);
    bend.times.push_back(t);
    bend.values.insert(bend.values.end(), {0, 0, std::sin(angle / 2), std::cos(angle / 2)});
    shake.times.push_back(t);
    shake.values.insert(shake.values.end(), {0.05 * metre * std::sin(4 * pi * t), 0, 0});
  }
  clip.channels = {bend, shake};
  character.clips.push_back(clip);
  // Moves for a quarter of a second, then stands still.
  Clip still = clip;
  still.name = "stop";
  still.end = 6;
  for (Channel& channel : still.channels) {
    for (double& t : channel.times) t /= 4;
  }
  character.clips.push_back(still);
  return character;
}

// As soft as a look has it.
inline FleshSettings look_settings(Reference reference = Reference::rig) {
  FleshSettings settings;
  settings.reference = reference;
  settings.tetrahedra = 900;
  return settings;
}

// Sags by 1.3 cm, whatever the clips.
inline FleshSettings quick_settings(Reference reference = Reference::rig) {
  FleshSettings settings = look_settings(reference);
  settings.young = 3.03e4;
  return settings;
}

inline BakeOptions options_for(int clip, double fps = 30) {
  BakeOptions options;
  options.clip = clip;
  options.frames_per_second = fps;
  options.loop = Loop::off;
  return options;
}

inline BakeResult bake(const Character& character, const FleshSettings& settings, const BakeOptions& options,
                       const Progress& progress = {}) {
  return bake_flesh(character, prepare_flesh(character, settings), settings, options, progress);
}

inline const std::vector<float>& values(const BakeResult& result) { return result.recording.parts.at(0).displacement; }

// Largest difference between two frames, metres.
inline double frame_difference(const BakeResult& a, std::size_t frame_a, const BakeResult& b, std::size_t frame_b) {
  const auto width = 3 * static_cast<std::size_t>(a.recording.parts.at(0).vertices);
  double most = 0;
  for (std::size_t k = 0; k < width; ++k)
    most =
        std::max(most, std::abs(double(values(a).at(frame_a * width + k)) - double(values(b).at(frame_b * width + k))));
  return most;
}

inline double largest_value(const BakeResult& result) {
  double most = 0;
  for (float v : values(result)) most = std::max(most, std::abs(double(v)));
  return most;
}

}  // namespace sinew::test
