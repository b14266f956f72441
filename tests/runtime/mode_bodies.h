// Low-frequency modes for the bodies of surface_bodies.h: shapes by formula, drives as if all mass were in the
// vertices.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew::test {

// G_b = sum_i w_ib phi(i) (x_i, 1)^T / sum_i |phi(i)|^2.
inline SurfaceMode mode_of(const SurfaceModel& model, double frequency, double damping_ratio,
                           const std::function<Vec3(const Vec3&)>& shape) {
  SurfaceMode mode;
  mode.frequency = frequency;
  mode.damping_ratio = damping_ratio;
  mode.drive.assign(model.bones.size(), Affine{Mat3::zero(), {}});
  double longest = 0, mass = 0;
  for (const Vec3& x : model.rest) longest = std::max(longest, norm(shape(x)));
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    mode.shape.push_back(shape(model.rest[i]) * (1 / longest));
    mass += squared_norm(mode.shape[i]);
  }
  for (std::size_t i = 0; i < model.rest.size(); ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(model.influences[i].count); ++k) {
      Affine& drive = mode.drive[static_cast<std::size_t>(model.influences[i].joint[k])];
      const Vec3 force = mode.shape[i] * (model.influences[i].weight[k] / mass);
      drive.linear += outer(force, model.rest[i]);
      drive.translation += force;
    }
  return mode;
}

// Something that stands along y sways to two sides, twists and pumps.
inline void add_modes(SurfaceModel& model) {
  const double h = model.height;
  model.modes = {mode_of(model, 2.1, 0.06,
                         [h](const Vec3& x) {
                           return Vec3{(x.y / h) * (x.y / h), -0.3 * x.x / h, 0};
                         }),
                 mode_of(model, 2.9, 0.1,
                         [h](const Vec3& x) {
                           return Vec3{0.1 * x.z / h, 0, (x.y / h) * (x.y / h)};
                         }),
                 mode_of(model, 4.3, 0.02,
                         [h](const Vec3& x) {
                           return Vec3{x.z * x.y / h, 0, -x.x * x.y / h};
                         }),
                 mode_of(model, 5.2, 0.4, [h](const Vec3& x) {
                   return Vec3{x.x, 0.2 * x.y / h, x.z} * std::sin(3 * x.y / h);
                 })};
}

}  // namespace sinew::test
