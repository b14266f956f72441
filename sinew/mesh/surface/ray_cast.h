// First intersection of a ray with a surface.
#pragma once

#include <cmath>

#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {

struct RayHit {
  int triangle = -1;           // -1: no hit
  double distance = HUGE_VAL;  // distance from the origin, in units of the direction's length
  bool leaves = false;         // true if the ray hits the back of the triangle, as on its way out of a solid
};

// The nearest hit between `nearest` and `farthest`, in units of the direction's length; of several at one distance, the
// triangle with the lowest index. Triangles that contain the ray in their plane are not hit.
RayHit cast_ray(const BoundingVolumeHierarchy& tree, const Vec3& origin, const Vec3& direction, double nearest,
                double farthest);

}  // namespace sinew
