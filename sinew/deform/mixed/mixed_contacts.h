// Frictionless contact of a body in equilibrium with colliders, at the points of the embedded surface
// (docs/mixed_fem.md, section 14):
//
//   gap_c(x) >= 0,   f_c >= 0,   gap_c f_c = 0
//
// for every surface point and collider, where gap is the signed distance to the collider and f the force along its
// gradient. Example:
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

// A surface point that is held along a normal alone and slides freely in the plane across it.
struct SlidingPoint {
  int point = 0;  // index into SurfacePoints
  Vec3 place;     // a point of the plane, metres, world
  Vec3 normal;    // of unit length, world
};

struct MixedContact {
  int point = 0;     // index into SurfacePoints
  int collider = 0;  // index into the colliders
  Vec3 normal;       // of the collider at the point, world
  double force = 0;  // newtons along the normal, positive
};

struct MixedContacts {
  std::vector<MixedContact> pushing;  // contacts with a force, in the order of colliders, then points
  double deepest = 0;                 // deepest penetration of a surface point, metres; 0 if there is none
  double residual = 0;  // residual force on the free vertices, contacts included, relative to the contact forces
  double slack = 0;     // largest gap of a contact with a force, metres
  int rounds = 0;       // rounds of recomputing normals
  int products = 0;     // substitutions for finding the forces, in all rounds
  // Number of surface points inside a collider that depend on held vertices only. Contact cannot move them, and
  // `deepest` ignores them.
  int unreachable = 0;
};

struct MixedContactOptions {
  double depth = 4e-6;  // tolerance of penetrations and gaps, relative to the body's extent
  int max_rounds = 40;  // limit of rounds: then points are outside and `residual` tells the accuracy, or solve() throws
  int max_products = 4000;  // limit per round: solve() throws beyond it
};

}  // namespace sinew
