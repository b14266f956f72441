// What acts on a character's flesh from outside over one step: the same words for every method (docs/environment.md).
// Methods say what they obey (deformer.h, Capabilities), and check_capabilities() refuses the rest in a sentence. World
// space, metres, seconds; points of loads are in rest space.
//
//   Environment environment;
//   environment.loads.push_back({belly, {0, 0, -30}, 0.1});                                // 30 N backwards
//   environment.colliders.capsules.push_back(sphere_collider(ball, 0.2));                  // standing still
//   deformer->advance(rig, environment);
#pragma once

#include <optional>
#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/contact/held_points.h"
#include "sinew/contact/obstacles.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct Environment {
  std::vector<HeldPoint> held;  // where they contradict each other, each is met in part
  // As the step ends, and the same shapes as it begins, which is how fast they move; empty: they stand still.
  Colliders colliders, colliders_before;
  // Height of a ground plane, metres: it yields to goals that the animator pressed into it (docs/flesh.md, Ground), as
  // no collider does.
  std::optional<double> ground;
  std::vector<Load> loads;        // over the step: point forces
  std::optional<Vec3> gravity{};  // m/s^2; empty: as the scene was cooked

  Obstacles obstacles() const { return {colliders, colliders_before, ground}; }
  void clear();  // keeps its memory
  bool touches() const { return ground || !colliders.empty(); }
  bool empty() const { return held.empty() && !touches() && loads.empty() && !gravity; }
};

// Throws usage_error naming what is not finite, or holds a vertex that a surface of so many does not have.
void check_environment(const Environment& environment, std::size_t surface_vertices);

}  // namespace sinew
