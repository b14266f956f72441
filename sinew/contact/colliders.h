// Solid shapes that flesh does not enter: planes, spheres, capsules and boxes.
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

// A box whose edges and corners are rounded: all points within `rounding` of a box that is smaller by it on every side.
struct BoxCollider {
  Vec3 centre;          // metres, world
  Mat3 axes;            // its columns are the directions of the sides, world: orthonormal
  Vec3 half;            // metres: half of each side's length, the rounding included; positive
  double rounding = 0;  // metres: the radius of edges and corners, at most the least of `half`
};

// Numbered planes first, then capsules, then boxes. All of them are convex, on which the solution relies.
struct Colliders {
  std::vector<PlaneCollider> planes;
  std::vector<CapsuleCollider> capsules;
  std::vector<BoxCollider> boxes{};

  std::size_t size() const { return planes.size() + capsules.size() + boxes.size(); }
  bool empty() const { return planes.empty() && capsules.empty() && boxes.empty(); }
  void clear();  // keeps its memory
};

// Whether both have as many shapes of each kind.
bool same_shapes(const Colliders& one, const Colliders& other);

// Throws usage_error naming the collider whose numbers are not finite, whose normal has no length, whose radius or side
// is not positive or whose rounding is larger than its sides allow.
void check_colliders(const Colliders& colliders);

// Distance from a collider, metres, negative inside, and its gradient, a unit vector. Where there are many, as on a
// capsule's own axis or as far from several sides of a box, it is one of them, always the same: a capsule's is at right
// angles to the axis, a box's is that of the last side, third before second before first.
struct Gap {
  double distance = 0;
  Vec3 normal;
};
Gap gap_to(const Colliders& colliders, std::size_t collider, const Vec3& point);

}  // namespace sinew
