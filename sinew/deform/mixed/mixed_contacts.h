// Solid shapes that press into flesh at rest, and what they do to it: contact without friction at the surface points
// that a body carries (docs/mixed_fem.md, section 14).
//
//   gap_c(x) >= 0,   f_c >= 0,   gap_c f_c = 0
//
// for every surface point and collider, gap the signed distance to the collider, f the force along its gradient. Use:
//
//   const SurfacePoints surface = surface_points(mesh, embedding.points);    // contact/surface_points.h, once
//   MixedContacts contacts;
//   solver.solve(load, surface, colliders, positions, contacts);             // mixed_solver.h, per pose
#pragma once

#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/contact/surface_points.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct MixedContact {
  int point = 0;     // index into SurfacePoints
  int collider = 0;  // as numbered
  Vec3 normal;       // of the collider at the point, world
  double force = 0;  // newtons along the normal, positive
};

struct MixedContacts {
  std::vector<MixedContact> pushing;  // those with a force, in the order of colliders, then points
  double deepest = 0;                 // metres: the most that a surface point is inside a collider; 0 where none is
  double residual = 0;  // forces left on the free vertices, contact forces included, relative to these forces' length
  double slack = 0;     // metres: the most that a point which is pushed is away from its collider
  int rounds = 0;       // in which normals were found anew
  int products = 0;     // substitutions that the search for forces took, in all rounds
  // Surface points inside a collider that hang on held vertices alone: the rig puts them there, contact cannot move
  // them, and `deepest` leaves them out.
  int unreachable = 0;
};

struct MixedContactOptions {
  double depth = 4e-6;      // how deep points may remain, and how far pushed ones off, relative to the body's extent
  int max_rounds = 40;      // beyond, points are out and forces as near to balance as `residual` says
  int max_products = 4000;  // in a round
};

}  // namespace sinew
