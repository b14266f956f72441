// Solid shapes that flesh does not enter: planes, spheres and capsules.
#pragma once

#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// What lies behind the plane is solid. metres, world.
struct PlaneCollider {
  Vec3 point;
  Vec3 normal{0, 1, 0};  // away from the solid; any length but zero
};

// A segment with a radius; a sphere where both ends are one point.
struct CapsuleCollider {
  Vec3 from, to;      // metres, world
  double radius = 0;  // metres, positive
};

inline CapsuleCollider sphere_collider(const Vec3& centre, double radius) { return {centre, centre, radius}; }

// Numbered planes first, then capsules. All of them are convex, on which the solution relies.
struct Colliders {
  std::vector<PlaneCollider> planes;
  std::vector<CapsuleCollider> capsules;

  std::size_t size() const { return planes.size() + capsules.size(); }
  bool empty() const { return planes.empty() && capsules.empty(); }
};

// Throws usage_error naming the collider whose numbers are not finite, whose normal has no length or whose radius is
// not positive.
void check_colliders(const Colliders& colliders);

// Distance from a collider, metres, negative inside, and its gradient, a unit vector. On a capsule's own axis, where
// there are many, one at right angles to it.
struct Gap {
  double distance = 0;
  Vec3 normal;
};
Gap gap_to(const Colliders& colliders, std::size_t collider, const Vec3& point);

}  // namespace sinew
