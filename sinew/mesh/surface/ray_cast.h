// Where a ray first meets a surface.
#pragma once

#include <cmath>

#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {

struct RayHit {
  int triangle = -1;           // -1: nothing is met
  double distance = HUGE_VAL;  // from the origin, in lengths of the direction
  bool leaves = false;         // through the back of the triangle, as out of a solid
};

// The nearest triangle that is met between `nearest` and `farthest`, in lengths of the direction; of several at one
// distance the one with the lower number. Triangles that the ray lies in are not met.
RayHit cast_ray(const BoundingVolumeHierarchy& tree, const Vec3& origin, const Vec3& direction, double nearest,
                double farthest);

}  // namespace sinew
