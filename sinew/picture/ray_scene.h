// Occlusion tests against triangles, for pictures: a thin wrapper of Embree.
#pragma once

#include <memory>
#include <span>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Immutable; rays may be cast on any number of threads. The hierarchy is built on one thread, so that rays that graze
// an edge give the same result in every run.
class RayScene {
 public:
  // Indices must be in range and positions finite and small enough for single precision.
  RayScene(std::span<const Vec3> positions, std::span<const Triangle> triangles);
  ~RayScene();
  RayScene(RayScene&&) noexcept;
  RayScene& operator=(RayScene&&) noexcept;

  // True if anything is hit at distances in [nearest, farthest].
  bool occluded(const Vec3& origin, const Vec3& direction, double nearest, double farthest) const;

 private:
  struct Hierarchy;
  std::unique_ptr<Hierarchy> hierarchy_;
};

}  // namespace sinew
