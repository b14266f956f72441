// Solid shapes that flesh must not enter: planes, spheres, capsules, boxes and meshes.
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A half space: everything behind the plane is solid. Metres, world.
struct PlaneCollider {
  Vec3 point;
  Vec3 normal{0, 1, 0};  // points away from the solid; any length but zero
};

// A capsule: all points within `radius` of a segment. A sphere if both ends are the same point.
struct CapsuleCollider {
  Vec3 from, to;      // metres, world
  double radius = 0;  // metres, positive
};

inline CapsuleCollider sphere_collider(const Vec3& centre, double radius) { return {centre, centre, radius}; }

// A box with rounded edges and corners: all points within `rounding` of a box that is smaller by it on every side.
struct BoxCollider {
  Vec3 centre;          // metres, world
  Mat3 axes;            // columns: directions of the sides, world; orthonormal
  Vec3 half;            // metres: half lengths of the sides, rounding included; positive
  double rounding = 0;  // radius of edges and corners, metres, at most the least of `half`
};

struct SolidMesh;  // contact/solid_mesh.h

// A solid of any shape.
struct MeshCollider {
  std::shared_ptr<const SolidMesh> solid;
  Affine placed, from_world;  // the solid's space to world and back, metres
  double scale = 1;           // size in the world over that of the solid
};
// `placed` must be invertible. A motion that scales directions differently makes distances approximate.
MeshCollider mesh_collider(std::shared_ptr<const SolidMesh> solid, const Affine& placed);

// Colliders are numbered planes first, then capsules, boxes and meshes.
struct Colliders {
  std::vector<PlaneCollider> planes;
  std::vector<CapsuleCollider> capsules;
  std::vector<BoxCollider> boxes{};
  std::vector<MeshCollider> meshes{};

  std::size_t size() const { return planes.size() + capsules.size() + boxes.size() + meshes.size(); }
  bool empty() const { return size() == 0; }
  void clear();  // keeps the memory
};

// True if both have the same number of shapes of each kind, and the same meshes.
bool same_shapes(const Colliders& one, const Colliders& other);

// Throws usage_error naming the collider whose numbers are not finite, whose normal is zero, whose radius or side is
// not positive, whose rounding is larger than its sides allow, or whose mesh is placed by a map without inverse.
void check_colliders(const Colliders& colliders);

// Distance from a collider, metres, negative inside, and its gradient, a unit vector. Where the gradient is not unique
// (on a capsule's axis, equally far from several sides of a box) it is always the same: perpendicular to a capsule's
// axis; for a box, along the last axis of its nearest sides. Distances from meshes are those of their grids.
struct Gap {
  double distance = 0;
  Vec3 normal;
};
Gap gap_to(const Colliders& colliders, std::size_t collider, const Vec3& point);

// Velocity of a collider's material at a point now, m/s, from where it was `seconds` ago. Planes and spheres do not
// turn.
Vec3 velocity_at(const Colliders& before, const Colliders& now, std::size_t collider, const Vec3& point,
                 double seconds);

}  // namespace sinew
