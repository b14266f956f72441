#include "studies/surface/tube.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/fit/build_surface_model.h"

namespace sinew {
namespace {

TriangleMesh tube_mesh(const SurfaceTubeOptions& options) {
  TriangleMesh mesh;
  const int rings = options.rings, columns = options.columns;
  for (int r = 0; r < rings; ++r)
    for (int c = 0; c < columns; ++c) {
      const double angle = 2 * std::numbers::pi * c / columns;
      mesh.positions.push_back(
          {options.length * r / (rings - 1), options.radius * std::cos(angle), options.radius * std::sin(angle)});
    }
  const int first = rings * columns, last = first + 1;
  mesh.positions.push_back({0, 0, 0});
  mesh.positions.push_back({options.length, 0, 0});
  for (int c = 0; c < columns; ++c) {
    const int next = (c + 1) % columns, top = (rings - 1) * columns;
    for (int r = 0; r + 1 < rings; ++r) {
      const int a = r * columns + c, b = r * columns + next;
      mesh.triangles.push_back({a, b, a + columns});
      mesh.triangles.push_back({b, b + columns, a + columns});
    }
    mesh.triangles.push_back({first, next, c});
    mesh.triangles.push_back({last, top + c, top + next});
  }
  return mesh;
}

// Weights for the nearest bone, and within an eighth of a bone's length of a joint for both.
Influences influences_at(double along, int bones) {
  Influences influences;
  const int nearest = std::clamp(static_cast<int>(along), 0, bones - 1);
  const double within = along - nearest;
  const int other = within < 0.125 ? nearest - 1 : within > 0.875 ? nearest + 1 : -1;
  const double share = other < 0 || other >= bones ? 0 : 4 * std::max(0.125 - within, within - 0.875);
  influences.count = share > 0 ? 2 : 1;
  influences.joint = {nearest, share > 0 ? other : 0};
  influences.weight = {1 - share, share};
  return influences;
}

double noise(const Vec3& x, double kind) {
  return (std::sin(7 * x.x + 1.7 * kind) + std::sin(9 * x.y + 4 * x.z + 2.3 * kind) +
          std::sin(5 * x.z - 6 * x.x + 0.9 * kind)) /
         3;
}

double ranging(double least, double most, double noise_there) {
  return least + (most - least) * 0.5 * (1 + noise_there);
}

Affine turned(const Vec3& axis, double radians, const Vec3& about) {
  const Mat3 linear = to_matrix(axis_angle(normalized(axis), radians));
  return {linear, about - linear * about};
}

}  // namespace

SurfaceTube make_surface_tube(const SurfaceTubeOptions& options) {
  SurfaceTube tube{options, tube_mesh(options), {}};
  const double bone_length = options.length / options.bones;
  SimulationSurface surface;
  surface.rest = tube.rest;
  surface.weighted = true;
  for (int b = 0; b < options.bones; ++b) {
    Bone bone;
    bone.name = "bone " + std::to_string(b + 1);
    bone.joint = b;
    bone.parent = b - 1;
    bone.rest_to_joint.translation = {-b * bone_length, 0, 0};
    bone.segments = {{{b * bone_length, 0, 0}, {(b + 1) * bone_length, 0, 0}}};
    surface.bones.push_back(bone);
  }
  for (const Vec3& x : tube.rest.positions)
    surface.influences.push_back(influences_at(x.x / bone_length, options.bones));
  SurfaceModelOptions settings;
  settings.reference = options.reference;
  settings.height = options.length;
  tube.model = build_surface_model({}, surface, settings);
  return tube;
}

double enclosed_volume(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  double six = 0;
  for (const Triangle& t : triangles) {
    const auto at = [&](std::size_t k) { return positions[static_cast<std::size_t>(t[k])]; };
    six += dot(at(0), cross(at(1), at(2)));
  }
  return six / 6;
}

void set_smooth_parameters(SurfaceModel& model, bool shape) {
  model.shape.clear();
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const Vec3 x = model.rest[i];
    model.parameters[i] = {ranging(0.03, 0.2, noise(x, 1)), ranging(0.1, 0.5, noise(x, 2)),
                           ranging(0.05, 0.4, noise(x, 3)), ranging(0.05, 0.2, noise(x, 4)),
                           ranging(0.02, 0.15, noise(x, 5))};
    if (!shape) continue;
    const double a = 0.5 * noise(x, 6), b = 0.5 * noise(x, 7);
    model.shape.push_back({1 + a, 1 + b, 1 - a - b, 0.25 * noise(x, 8), 0.25 * noise(x, 9), 0.25 * noise(x, 10)});
  }
}

SurfaceMotion dance(const SurfaceModel& model, std::size_t frames, double start) {
  SurfaceMotion motion;
  motion.name = "dance";
  for (std::size_t k = 0; k < frames; ++k) {
    const double t = start + static_cast<double>(k) * model.step;
    Affine chain = turned({0.3, 0.2, 1}, 0.2 * std::sin(5 * t) + 0.1 * std::sin(11 * t + 1), {});
    chain.translation += Vec3{0.05 * std::sin(7 * t), 0.04 * std::sin(9 * t + 2), 0.05 * std::sin(6 * t + 1)};
    std::vector<Affine> bones;
    for (std::size_t b = 0; b < model.bones.size(); ++b) {
      if (b > 0)
        chain = chain * turned({0.3 * std::sin(2 * t), 1, 0.7 * std::cos(3 * t)},
                               0.3 * std::sin(6 * t + static_cast<double>(b)) + 0.15 * std::sin(13 * t),
                               model.segments[b].head);
      bones.push_back(chain);
    }
    motion.bones.push_back(std::move(bones));
  }
  return motion;
}

SurfaceExample example_of_model(const SurfaceModel& model, const SurfaceMotion& motion) {
  SurfaceExample example;
  example.motion = motion;
  PosedSurface now, next;
  pose_surface(model, motion.bones.at(0), now);
  pose_surface(model, motion.bones.at(1), next);
  SurfaceState state = rest_in_goal(model, motion.bones[0], now, next), after;
  for (std::size_t k = 0; k < motion.bones.size(); ++k) {
    if (k > 0) {
      pose_surface(model, motion.bones[k], next);
      step_surface(model, now, next, state, after);
      std::swap(state, after);
      std::swap(now, next);
    }
    for (std::size_t i = 0; i < state.position.size(); ++i) {
      const Vec3 d = state.position[i] - now.goal[i];
      example.offset.insert(example.offset.end(),
                            {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
  }
  return example;
}

}  // namespace sinew
