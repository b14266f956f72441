// Surface models with random smooth parameters, and motions of their bones, made by formula.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/deform/surface/fit/fit_alone.h"
#include "sinew/deform/surface/fit/surface_error.h"
#include "tests/runtime/surface_bodies.h"

namespace sinew::test {

// A smooth function of space between -1 and 1 with some waves over a metre; `kind` chooses another.
inline double smooth_noise(const Vec3& x, double kind) {
  return (std::sin(7 * x.y + 1.7 * kind) + std::sin(9 * x.x + 4 * x.z + 2.3 * kind) +
          std::sin(5 * x.z - 6 * x.y + 0.9 * kind)) /
         3;
}

inline double ranging(double least, double most, double noise) { return least + (most - least) * 0.5 * (1 + noise); }

// Soft, and stable: k + 2 c stays below 3.5.
inline void set_smooth_parameters(SurfaceModel& model) {
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const Vec3 x = model.rest[i];
    model.parameters[i] = {ranging(0.03, 0.2, smooth_noise(x, 1)), ranging(0.1, 0.5, smooth_noise(x, 2)),
                           ranging(0.05, 0.4, smooth_noise(x, 3)), ranging(0.05, 0.2, smooth_noise(x, 4)),
                           ranging(0.02, 0.15, smooth_noise(x, 5))};
  }
}

// Symmetric, trace 3, eigenvalues between about 0.3 and 2.
inline void set_smooth_shape(SurfaceModel& model) {
  model.shape.resize(model.rest.size());
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const Vec3 x = model.rest[i];
    const double a = 0.5 * smooth_noise(x, 6), b = 0.5 * smooth_noise(x, 7);
    model.shape[i] = {
        1 + a, 1 + b, 1 - a - b, 0.25 * smooth_noise(x, 8), 0.25 * smooth_noise(x, 9), 0.25 * smooth_noise(x, 10)};
  }
}

// A chain of bones that swings at its joints about changing axes, and shakes on the whole: a wild dance, or with `size`
// below 1 a calmer one. `t`: seconds.
inline std::vector<Affine> swinging(const SurfaceModel& model, double t, double size = 1) {
  std::vector<Affine> bones;
  Affine chain = turned({0.3, 0.2, 1}, size * (0.4 * std::sin(5 * t) + 0.2 * std::sin(11 * t + 1)));
  chain.translation += size * Vec3{0.1 * std::sin(7 * t), 0.08 * std::sin(9 * t + 2), 0.1 * std::sin(6 * t + 1)};
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    if (b > 0)
      chain = chain * turned({1, 0.3 * std::sin(2 * t), 0.7 * std::cos(3 * t)},
                             size * (0.6 * std::sin(6 * t + static_cast<double>(b)) + 0.3 * std::sin(13 * t)),
                             model.segments.size() > b ? model.segments[b].head : Vec3{});
    bones.push_back(chain);
  }
  return bones;
}

inline SurfaceMotion swinging_motion(const SurfaceModel& model, std::size_t frames, double start = 0, double size = 1) {
  SurfaceMotion motion;
  motion.name = "swing";
  for (std::size_t k = 0; k < frames; ++k)
    motion.bones.push_back(swinging(model, start + static_cast<double>(k) * model.step, size));
  return motion;
}

// Vertices along the y axis, each with the one before and the one after: nothing says how they turn about it. `twigs`:
// beside every second one a vertex with a single neighbour.
inline SurfaceModel line(int count, bool twigs) {
  SurfaceModel model = tube(2, 3);  // for its bones and segments
  const int all = twigs ? count + count / 2 : count;
  model.rest.clear();
  for (int i = 0; i < count; ++i) model.rest.push_back({0, static_cast<double>(i) / (count - 1), 0});
  for (int i = count; i < all; ++i)
    model.rest.push_back(model.rest[static_cast<std::size_t>(2 * (i - count))] + Vec3{0.03, 0, 0.01});
  std::vector<std::vector<int>> ring(static_cast<std::size_t>(all));
  const auto join = [&](int a, int b) {
    ring[static_cast<std::size_t>(a)].push_back(b);
    ring[static_cast<std::size_t>(b)].push_back(a);
  };
  for (int i = 0; i + 1 < count; ++i) join(i, i + 1);
  for (int i = count; i < all; ++i) join(i, 2 * (i - count));
  model.neighbours.clear();
  model.first_neighbour = {0};
  model.influences.clear();
  for (std::size_t i = 0; i < ring.size(); ++i) {
    model.neighbours.insert(model.neighbours.end(), ring[i].begin(), ring[i].end());
    model.first_neighbour.push_back(static_cast<int>(model.neighbours.size()));
    const double upper = std::clamp(4 * model.rest[i].y - 1.5, 0.0, 1.0);
    model.influences.push_back(upper > 0 && upper < 1 ? influence({{0, 1 - upper}, {1, upper}})
                                                      : influence({{upper > 0 ? 1 : 0, 1}}));
  }
  model.normals.assign(ring.size(), Vec3{1, 0, 0});
  model.parameters.resize(ring.size());
  set_spokes(model);
  model.parts = {{"line", {}}};
  for (int i = 0; i < all; ++i) model.parts[0].vertex_of.push_back(i);
  return model;
}

// Positions of all frames, by plain steps from rest in the goal.
inline std::vector<SurfaceState> simulated(const SurfaceModel& model, const SurfaceMotion& motion) {
  std::vector<SurfaceState> states;
  PosedSurface now, next;
  pose_surface(model, motion.bones[0], now);
  pose_surface(model, motion.bones[1], next);
  states.push_back(rest_in_goal(model, motion.bones[0], now, next));
  for (std::size_t k = 1; k < motion.bones.size(); ++k) {
    pose_surface(model, motion.bones[k], next);
    SurfaceState after;
    step_surface(model, now, next, states.back(), after);
    states.push_back(after);
    std::swap(now, next);
  }
  return states;
}

// What the model itself makes of a motion, as an example to learn from.
inline SurfaceExample example_of(const SurfaceModel& model, const SurfaceMotion& motion) {
  SurfaceExample example;
  example.motion = motion;
  const std::vector<SurfaceState> states = simulated(model, motion);
  PosedSurface posed;
  for (std::size_t k = 0; k < states.size(); ++k) {
    pose_surface(model, motion.bones[k], posed);
    for (std::size_t i = 0; i < posed.goal.size(); ++i) {
      const Vec3 d = states[k].position[i] - posed.goal[i];
      example.offset.insert(example.offset.end(),
                            {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
  }
  return example;
}

}  // namespace sinew::test
