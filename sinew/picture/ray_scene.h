// Triangles that rays are cast against: a thin face on Embree, for pictures.
#pragma once

#include <memory>
#include <span>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Where a ray meets a triangle: the point is (1 - u - v) p0 + u p1 + v p2.
struct RayHit {
  int triangle = -1;    // index into the triangles, or -1: nothing was hit
  double distance = 0;  // in lengths of the ray's direction
  double u = 0, v = 0;
};

// Immutable; casts may run on any number of threads. The hierarchy is built on one thread, so that
// rays that graze an edge choose the same triangle in every run.
class RayScene {
 public:
  // Indices must be in range and positions finite and small enough for single precision.
  RayScene(std::span<const Vec3> positions, std::span<const Triangle> triangles);
  ~RayScene();
  RayScene(RayScene&&) noexcept;
  RayScene& operator=(RayScene&&) noexcept;

  // The nearest hit at distances in [nearest, farthest].
  RayHit closest_hit(const Vec3& origin, const Vec3& direction, double nearest, double farthest) const;

  // Whether anything is hit at distances in [nearest, farthest].
  bool occluded(const Vec3& origin, const Vec3& direction, double nearest, double farthest) const;

 private:
  struct Hierarchy;
  std::unique_ptr<Hierarchy> hierarchy_;
};

}  // namespace sinew
