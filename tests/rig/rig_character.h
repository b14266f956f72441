// A character with everything that a rig has to follow: file units of centimetres, a turned and scaled root, parents of
// non-uniform scale, a helper joint below them, a node with a matrix, morph targets, vertices without weights, and a
// clip with channels of every kind.
#pragma once

#include <cmath>
#include <random>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"
#include "tests/character/influences.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {

enum RigJoint { mesh_node, root_joint, spine_joint, belly_joint, head_joint, matrix_node, tail_joint, rig_joints };

inline Quat turned(double x, double y, double z, double angle) { return axis_angle(normalized(Vec3{x, y, z}), angle); }

inline Character rig_character() {
  Character character;
  character.file = "made.glb";
  character.metres_per_unit = 0.01;
  Skeleton& skeleton = character.skeleton;
  skeleton.joints.resize(rig_joints);
  const auto joint = [&](RigJoint j, const char* name, int parent, const Transform& rest) {
    skeleton.joints[j].name = name;
    skeleton.joints[j].parent = parent;
    skeleton.joints[j].rest = rest;
  };
  joint(mesh_node, "mesh", root_joint, {{3, 0, 0}, {}, {1, 1, 1}});
  joint(root_joint, "root", -1, {{10, 5, -4}, turned(0.1, 1, 0.2, 0.3), {2, 2, 2}});
  joint(spine_joint, "spine", root_joint, {{0, 20, 0}, turned(0, 0, 1, 0.1), {1.2, 0.8, 1.1}});
  joint(belly_joint, "belly", spine_joint, {{6, 4, 1}, turned(1, 0, 1, -0.4), {0.9, 1, 1.3}});
  joint(head_joint, "head", matrix_node, {{0, 30, 0}, turned(1, 0, 0, 0.2), {1, 1, 1}});
  joint(matrix_node, "neck", spine_joint, {});
  skeleton.joints[matrix_node].rest_matrix = Affine{Mat3{{1, 0.2, 0, 0, 1.1, 0, 0.1, 0, 0.9}}, {1, 2, 3}};
  joint(tail_joint, "tail", root_joint, {{0, 0, -8}, {}, {1, 1, 1}});
  skeleton.joints[mesh_node].rest_weights = {0.25, 0};
  skeleton.parents_first = {root_joint, mesh_node, spine_joint, belly_joint, matrix_node, head_joint, tail_joint};

  Skin skin;
  skin.name = "skin";
  skin.joints = {root_joint, spine_joint, belly_joint, head_joint};
  // The bind pose is not the default pose.
  Character bound = character;
  bound.skeleton.joints[spine_joint].rest.rotation = {};
  bound.skeleton.joints[belly_joint].rest.rotation = turned(0, 1, 0, 0.2);
  const Pose pose = sample(bound.skeleton, nullptr, 0);
  for (const int j : skin.joints) skin.inverse_bind.push_back(inverse(pose.world[static_cast<std::size_t>(j)]));
  character.skins.push_back(skin);

  Part part;
  part.name = "body";
  part.joint = mesh_node;
  part.mesh = part.primitive = part.skin = 0;
  part.surface = upright_tube(20, 12, 160, 15);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  part.targets.resize(2);
  for (const Vec3& x : part.surface.positions) {
    const double along = x.y / 160;
    Influences influences = along < 0.5 ? between(0, 1, 2 * along) : between(1, 3, 2 * along - 1);
    if (x.x > 5 && along > 0.2 && along < 0.6) {
      // A third part of the weight to the belly.
      for (int k = 0; k < influences.count; ++k) influences.weight[static_cast<std::size_t>(k)] *= 2.0 / 3;
      influences.joint[static_cast<std::size_t>(influences.count)] = 2;
      influences.weight[static_cast<std::size_t>(influences.count++)] = 1.0 / 3;
    }
    if (along < 0.02) influences = {};  // a rim that nobody painted
    part.influences.push_back(influences);
    part.targets[0].push_back(along > 0.5 ? Vec3{number(random), number(random), number(random)} * 2.0 : Vec3{});
    part.targets[1].push_back(along < 0.6 ? Vec3{0, 0, 3 * along} : Vec3{});
  }
  character.parts.push_back(part);

  Clip clip;
  clip.name = "all";
  const auto channel = [&](int j, ChannelPath path, Interpolation interpolation, int components,
                           const std::vector<double>& middle, double spread) {
    Channel c;
    c.joint = j;
    c.path = path;
    c.interpolation = interpolation;
    c.components = components;
    c.times = {0, 0.4, 1, 1.5};
    const int per_key = interpolation == Interpolation::cubic_spline ? 3 : 1;
    for (int k = 0; k < 4; ++k)
      for (int e = 0; e < per_key; ++e)
        for (int i = 0; i < components; ++i)
          c.values.push_back((per_key == 1 || e == 1 ? middle[static_cast<std::size_t>(i)] : 0) +
                             spread * number(random));
    clip.channels.push_back(c);
  };
  channel(root_joint, ChannelPath::translation, Interpolation::linear, 3, {10, 5, -4}, 4);
  channel(spine_joint, ChannelPath::rotation, Interpolation::linear, 4, {0, 0, 0, 1}, 0.9);
  channel(belly_joint, ChannelPath::rotation, Interpolation::cubic_spline, 4, {0, 0, 0, 1}, 0.5);
  channel(belly_joint, ChannelPath::scale, Interpolation::cubic_spline, 3, {1, 1, 1}, 0.2);
  channel(belly_joint, ChannelPath::translation, Interpolation::step, 3, {6, 4, 1}, 2);
  channel(mesh_node, ChannelPath::weights, Interpolation::linear, 2, {0.5, 0.5}, 0.5);
  for (Channel& c : clip.channels)
    if (c.path == ChannelPath::rotation)
      for (std::size_t k = 0; k < c.times.size(); ++k) {
        // Unit length at keys, as glTF has it.
        double* v = c.values.data() + 4 * (c.interpolation == Interpolation::cubic_spline ? 3 * k + 1 : k);
        const Quat q = normalized(Quat{v[0], v[1], v[2], v[3]});
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
      }
  clip.end = 1.5;
  character.clips.push_back(clip);
  return character;
}

}  // namespace sinew::test
