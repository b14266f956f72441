// A tube of two bones with parameters that differ from vertex to vertex, and a lively motion for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew::test {

// As the bytes of a model's file have it.
inline double byte_parameter(double value) { return std::pow(std::round(std::sqrt(value) * 255) / 255, 2); }

struct TubeShape {
  int rings = 24, around = 16;
  double radius = 0.15, length = 1;
  ShapeReference reference = ShapeReference::rig;
  bool shaped = false;  // restoration differs between directions
};

inline VertexParameters tube_parameters(double along, double angle) {
  VertexParameters p;
  p.alpha = byte_parameter(0.02 + 0.1 * along + 0.02 * std::sin(angle));
  p.beta = byte_parameter(0.3 + 0.2 * std::cos(3 * along + angle));
  p.gamma = byte_parameter(0.15 + 0.1 * std::sin(5 * along));
  p.lambda = 0.5 * byte_parameter(0.2 + 0.2 * std::sin(2 * angle));
  p.delta = byte_parameter(0.06 + 0.03 * std::cos(4 * along));
  return p;
}

// Soft towards `soft`, stiff across it.
inline RestorationShape restoration_shape(double along, double angle) {
  const Vec3 soft = normalized(Vec3{std::cos(angle), std::sin(7 * along), std::sin(angle)});
  const double share = 0.5 + 0.2 * std::sin(5 * along);
  const Mat3 s = (Mat3::identity() - outer(soft, soft) * share) * (3 / (3 - share));
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)};
}

inline void add_triangle(std::vector<std::set<int>>& rings, int a, int b, int c) {
  for (const auto& [i, j] : {std::pair{a, b}, {b, c}, {c, a}}) {
    rings[static_cast<std::size_t>(i)].insert(j);
    rings[static_cast<std::size_t>(j)].insert(i);
  }
}

inline SurfaceModel tube(const TubeShape& shape = {}) {
  SurfaceModel model;
  model.reference = shape.reference;
  model.reach = 0.4;
  model.height = shape.length;
  model.bones = {{"lower", {}}, {"upper", {}}};
  const Vec3 middle{0, shape.length / 2, 0};
  model.segments = {{0, {0, 0, 0}, middle}, {1, middle, {0, shape.length, 0}}};
  model.first_spoke.push_back(0);
  for (int r = 0; r < shape.rings; ++r)
    for (int s = 0; s < shape.around; ++s) {
      const double along = static_cast<double>(r) / (shape.rings - 1);
      const double angle = 2 * std::numbers::pi * s / shape.around;
      const Vec3 out{std::cos(angle), 0, std::sin(angle)};
      model.rest.push_back(out * shape.radius + Vec3{0, along * shape.length, 0});
      model.normals.push_back(out);
      const double upper = std::clamp((along - 0.3) / 0.4, 0.0, 1.0);
      Influences influences;
      for (const auto& [bone, weight] : {std::pair{0, 1 - upper}, {1, upper}})
        if (weight > 0) {
          const auto k = static_cast<std::size_t>(influences.count++);
          influences.joint[k] = bone;
          influences.weight[k] = weight;
          model.spokes.push_back({bone, weight});
        }
      model.influences.push_back(influences);
      model.first_spoke.push_back(static_cast<int>(model.spokes.size()));
      model.parameters.push_back(tube_parameters(along, angle));
      if (shape.shaped) model.shape.push_back(restoration_shape(along, angle));
    }
  std::vector<std::set<int>> rings(model.rest.size());
  for (int r = 0; r + 1 < shape.rings; ++r)
    for (int s = 0; s < shape.around; ++s) {
      const int a = r * shape.around + s, b = r * shape.around + (s + 1) % shape.around;
      add_triangle(rings, a, b, a + shape.around);
      add_triangle(rings, b, b + shape.around, a + shape.around);
    }
  model.first_neighbour.push_back(0);
  for (const std::set<int>& ring : rings) {
    model.neighbours.insert(model.neighbours.end(), ring.begin(), ring.end());
    model.first_neighbour.push_back(static_cast<int>(model.neighbours.size()));
  }
  // Two parts, with a seam: the first vertex of each ring stands twice.
  model.parts = {{"lower half", {}}, {"upper half", {}}};
  for (int r = 0; r < shape.rings; ++r)
    for (int s = 0; s <= shape.around; ++s)
      model.parts[2 * r < shape.rings ? 0 : 1].vertex_of.push_back(r * shape.around + s % shape.around);
  return model;
}

// The lower bone is thrown about, the upper one bends at the middle by up to 70 degrees: vertices stray from their
// goals by a fifth of the tube's length, and yet two motions that begin close to each other come closer. (Thrown about
// twice as fast the tube is turned inside out and its motion is chaotic, in any precision.) `seed` sets bodies apart.
inline std::vector<Affine> lively_bones(double seconds, double seed = 0, double length = 1) {
  const double t = 0.4 * seconds + 0.37 * seed, turn = 2 * std::numbers::pi * t;
  const Mat3 lower = to_matrix(axis_angle(normalized(Vec3{1, 2, 0.5}), 0.8 * std::sin(0.9 * turn))) *
                     to_matrix(axis_angle({0, 1, 0}, 1.5 * t));
  const Affine root{lower, {0.3 * std::sin(1.3 * turn), 0.2 * std::sin(2.1 * turn), 0.4 * std::cos(0.7 * turn)}};
  const Mat3 bend = to_matrix(axis_angle(normalized(Vec3{1, 0, std::sin(t)}), 1.2 * std::sin(1.7 * turn)));
  const Vec3 joint{0, length / 2, 0};
  return {root, root * Affine{bend, joint - bend * joint}};
}

}  // namespace sinew::test
