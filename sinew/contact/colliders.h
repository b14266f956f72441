// Solid shapes that press into the flesh, and what they do to it: contact without friction at the surface points that
// a body carries (docs/mixed_fem.md, section 14).
//
//   gap_c(x) >= 0,   f_c >= 0,   gap_c f_c = 0
//
// for every surface point and collider, gap the signed distance to the collider, f the force along its gradient. Use:
//
//   const SurfacePoints surface = surface_points(mesh, embedding.points);    // surface_points.h, once
//   MixedContacts contacts;
//   solver.solve(load, surface, colliders, positions, contacts);             // mixed_solver.h, per pose
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/surface_points.h"
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

struct MixedContact {
  int point = 0;     // index into SurfacePoints
  int collider = 0;  // as numbered
  Vec3 normal;       // of the collider at the point, world
  double force = 0;  // newtons along the normal, positive
};

struct MixedContacts {
  std::vector<MixedContact> pushing;  // those with a force, in the order of colliders, then points
  double deepest = 0;   // metres: the most that a surface point is inside a collider; 0 where none is
  double residual = 0;  // forces left on the free vertices, contact forces included, relative to these forces' length
  double slack = 0;     // metres: the most that a point which is pushed is away from its collider
  int rounds = 0;       // in which normals were found anew
  int products = 0;     // substitutions that the search for forces took, in all rounds
  // Surface points inside a collider that hang on held vertices alone: the rig puts them there, contact cannot move
  // them, and `deepest` leaves them out.
  int unreachable = 0;
};

struct MixedContactOptions {
  double depth = 4e-6;   // how deep points may remain, and how far pushed ones off, relative to the body's extent
  int max_rounds = 40;  // beyond, points are out and forces as near to balance as `residual` says
  int max_products = 4000;  // in a round
};

}  // namespace sinew
