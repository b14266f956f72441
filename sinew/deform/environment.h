// What acts on a character's flesh from outside over one step: the same words for every method (docs/environment.md).
// Methods say what they obey (deformer.h, Capabilities), and check_capabilities() refuses the rest in a sentence. World
// space, metres, seconds; points of pokes are in rest space.
//
//   Environment environment;
//   environment.pokes.push_back({belly, {0, 0, -30}, 0.1});                                // 30 N backwards
//   environment.colliders.capsules.push_back(sphere_collider(ball, 0.2));                  // standing still
//   deformer->advance(rig, environment);
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A point of the surface: a vertex of it, or a mean of up to three.
struct SurfaceSpot {
  std::array<int, 3> vertex{-1, -1, -1};  // -1: none
  std::array<double, 3> weight{};         // sum to one
};
inline SurfaceSpot at_vertex(int vertex) { return {{vertex, -1, -1}, {1, 0, 0}}; }

// A point that is grabbed or dragged, or one of a belt's ring.
struct HeldPoint {
  SurfaceSpot spot;
  Vec3 target;       // metres, world: where it is as the step ends
  Vec3 velocity;     // m/s, world: of the target there
  std::string name;  // for messages: of the grab, or of the belt
  // Points of one belt have one number and follow each other; -1: a point by itself. A belt counts as much as a point
  // by itself where they cannot all be met.
  int belt = -1;
  double share = 1;  // of the belt's skin, the point's own
};

// How far a belt, or a point by itself, is from where it should be after a step.
struct HeldMisfit {
  std::string name;
  bool belt = false;
  double mean = 0, largest = 0;  // metres; the mean over the belt's skin
};

struct Environment {
  std::vector<HeldPoint> held;  // where they contradict each other, each is met in part
  // As the step ends, and the same shapes as it begins, which is how fast they move; empty: they stand still.
  Colliders colliders, colliders_before;
  // Height of a ground plane, metres: it yields to goals that the animator pressed into it (docs/flesh.md, Ground), as
  // no collider does.
  std::optional<double> ground;
  std::vector<Poke> pokes;        // forces over the step
  std::optional<Vec3> gravity{};  // m/s^2; empty: as the scene was cooked

  bool touches() const { return ground || !colliders.empty(); }
  bool empty() const { return held.empty() && !touches() && pokes.empty() && !gravity; }
};

}  // namespace sinew
