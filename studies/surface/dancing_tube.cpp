#include "studies/surface/dancing_tube.h"

#include <cmath>
#include <numbers>

#include "studies/surface/tube.h"

namespace sinew {
namespace {

// Joints; joint 0 shows the mesh.
enum : int { lower = 1, upper = 2 };

struct Wave {
  double amplitude, frequency;  // hertz
  double at(double seconds) const { return amplitude * std::sin(2 * std::numbers::pi * frequency * seconds); }
};

Clip clip_of_waves(const std::string& name, const Wave& across, const Wave& up, const Wave& bend) {
  constexpr int keys = 121;
  constexpr double length = 2;
  Channel shake{lower, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
  Channel turn{upper, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
  for (int k = 0; k < keys; ++k) {
    const double t = length * k / (keys - 1), half = bend.at(t) / 2;
    shake.times.push_back(t);
    shake.values.insert(shake.values.end(), {across.at(t), up.at(t), 0});
    turn.times.push_back(t);
    turn.values.insert(turn.values.end(), {0, 0, std::sin(half), std::cos(half)});
  }
  return {name, {shake, turn}, 0, length};
}

}  // namespace

Character upright_tube(const SurfaceTubeOptions& options) {
  const SurfaceTube tube = make_surface_tube(options);
  const double half = tube.options.length / 2;
  Character character;
  character.file = "tube";
  character.skeleton.joints.resize(3);
  character.skeleton.joints[0].name = "mesh";
  character.skeleton.joints[lower].name = "lower";
  character.skeleton.joints[upper].name = "upper";
  character.skeleton.joints[upper].parent = lower;
  character.skeleton.joints[upper].rest.translation = {0, half, 0};
  character.skeleton.parents_first = {0, lower, upper};
  character.skins.push_back({"skin", {lower, upper}, {Affine{}, Affine{Mat3::identity(), {0, -half, 0}}}});
  Part part;
  part.name = "tube";
  part.joint = part.mesh = part.primitive = part.skin = 0;
  part.surface = tube.rest;
  for (Vec3& x : part.surface.positions) x = {-x.y, x.x, x.z};  // the tube's axis is x
  part.influences = tube.model.influences;
  character.parts.push_back(part);
  return character;
}

Character dancing_tube() {
  Character character = upright_tube({.rings = 25, .columns = 16, .bones = 2});
  character.clips = {clip_of_waves("sway", {0.06, 1}, {0.03, 1.5}, {0.5, 0.75}),
                     clip_of_waves("hop", {0.03, 0.8}, {0.06, 1.75}, {0.35, 1.2})};
  return character;
}

}  // namespace sinew
