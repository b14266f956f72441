// An independent program of one step of docs/surface_dynamics.md: double precision, no order of vertices, no bytes.
#pragma once

#include <vector>

#include "sinew/deform/surface/surface_model.h"
#include "sinew/gpu/surface_gpu.h"

namespace sinew::test {

struct ReferenceBody {
  explicit ReferenceBody(const SurfaceModel& of) : model(of) {}

  const SurfaceModel& model;
  SurfaceSurroundings surroundings;
  std::vector<Affine> bones;  // at t
  std::vector<Vec3> x, v, g;
  std::vector<Quat> q;

  void reset(const std::vector<Affine>& pose);
  void step(const std::vector<Affine>& next_bones);
  void poke(const Vec3& centre, double radius, const Vec3& velocity_change);
};

Affine blended(const SurfaceModel& model, std::size_t vertex, const std::vector<Affine>& bones);
// The largest distance between vertices.
double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

}  // namespace sinew::test
