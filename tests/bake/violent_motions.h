// Motions that no flesh follows: what a character may be put through and has to come back from. Each moves one joint
// about its rest pose, begins at a quarter of a second and ends at one; the pose then stands.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/character/character.h"

namespace sinew::test {

inline constexpr double violence_begins = 0.25, violence_ends = 1;

inline Clip clip_of_channel(const std::string& name, Channel channel, double end) {
  Clip clip;
  clip.name = name;
  clip.end = end;
  clip.channels = {std::move(channel)};
  return clip;
}

// One jump, a quarter of `height` (metres) high and half of it ahead, that lands at the end and stands.
inline Clip hop(const Character& character, int joint, double height, double end) {
  constexpr int keys = 60;
  constexpr double gravity = 9.81;
  const Vec3 rest = character.skeleton.joints.at(static_cast<std::size_t>(joint)).rest.translation;
  const double seconds = 2 * std::sqrt(2 * height / 4 / gravity), units = height / character.metres_per_unit;
  Channel channel{joint, ChannelPath::translation, Interpolation::linear, {0}, 3, {rest.x, rest.y, rest.z}};
  for (int k = 0; k <= keys; ++k) {
    const double share = static_cast<double>(k) / keys;
    channel.times.push_back(violence_ends + seconds * (share - 1));
    channel.values.insert(channel.values.end(),
                          {rest.x, rest.y + units * share * (1 - share), rest.z + 0.5 * units * share});
  }
  return clip_of_channel("hop", channel, end);
}

// At a constant rate about an axis through the joint, back at its rest pose as it ends.
inline Clip spin(const Character& character, int joint, const Vec3& axis, double turns_per_minute, double end) {
  const Quat rest = character.skeleton.joints.at(static_cast<std::size_t>(joint)).rest.rotation;
  const double turns = std::round(turns_per_minute / 60 * (violence_ends - violence_begins));
  const int keys = static_cast<int>(6 * turns);
  Channel channel{joint, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  for (int k = 0; k <= keys; ++k) {
    const double share = static_cast<double>(k) / keys;
    const Quat q = axis_angle(axis, 2 * std::numbers::pi * turns * share) * rest;
    channel.times.push_back(violence_begins + (violence_ends - violence_begins) * share);
    channel.values.insert(channel.values.end(), {q.x, q.y, q.z, q.w});
  }
  return clip_of_channel("spin " + std::to_string(std::lround(turns_per_minute)), channel, end);
}

// Jumps from one place to another between two steps, and back, by `metres`.
inline Clip teleport(const Character& character, int joint, double metres, double end) {
  const Vec3 rest = character.skeleton.joints.at(static_cast<std::size_t>(joint)).rest.translation;
  const double there = rest.x + metres / character.metres_per_unit;
  Channel channel{joint,
                  ChannelPath::translation,
                  Interpolation::step,
                  {0, violence_begins, violence_ends},
                  3,
                  {rest.x, rest.y, rest.z, there, rest.y, rest.z, rest.x, rest.y, rest.z}};
  return clip_of_channel("teleport " + std::to_string(std::lround(metres)), channel, end);
}

// Stands on its head between two steps, and on its feet again.
inline Clip flip(const Character& character, int joint, double end) {
  const Quat rest = character.skeleton.joints.at(static_cast<std::size_t>(joint)).rest.rotation;
  const Quat q = axis_angle({1, 0, 0}, std::numbers::pi) * rest;
  Channel channel{joint,
                  ChannelPath::rotation,
                  Interpolation::step,
                  {0, violence_begins, violence_ends},
                  4,
                  {rest.x, rest.y, rest.z, rest.w, q.x, q.y, q.z, q.w, rest.x, rest.y, rest.z, rest.w}};
  return clip_of_channel("flip", channel, end);
}

// Scaled by a factor, at once or in between, and back.
inline Clip scaled_by(const Character& character, int joint, double factor, Interpolation interpolation, double end) {
  const Vec3 rest = character.skeleton.joints.at(static_cast<std::size_t>(joint)).rest.scale;
  const Vec3 scaled = factor * rest;
  const double middle = (violence_begins + violence_ends) / 2;
  Channel channel{
      joint,
      ChannelPath::scale,
      interpolation,
      {0, violence_begins, middle, violence_ends},
      3,
      {rest.x, rest.y, rest.z, rest.x, rest.y, rest.z, scaled.x, scaled.y, scaled.z, rest.x, rest.y, rest.z}};
  return clip_of_channel(
      "scale " + std::to_string(std::lround(factor)) + (interpolation == Interpolation::step ? " at once" : ""),
      channel, end);
}

inline std::vector<Clip> violent_motions(const Character& character, int joint, double height, double end) {
  const Vec3 up{0, 1, 0}, ahead{0, 0, 1};
  return {spin(character, joint, up, 300, end),
          spin(character, joint, ahead, 1000, end),
          spin(character, joint, up, 3000, end),
          spin(character, joint, up, 10000, end),
          teleport(character, joint, 0.5 * height, end),
          teleport(character, joint, 1000 * height, end),
          flip(character, joint, end),
          scaled_by(character, joint, 0, Interpolation::linear, end),
          scaled_by(character, joint, 0, Interpolation::step, end),
          scaled_by(character, joint, -1, Interpolation::linear, end),
          scaled_by(character, joint, -1, Interpolation::step, end),
          scaled_by(character, joint, 20, Interpolation::step, end)};
}

}  // namespace sinew::test
