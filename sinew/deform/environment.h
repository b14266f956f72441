// Everything that acts on a character's flesh from outside during one step, for all methods (docs/environment.md).
// Methods declare what they obey (deformer.h, Capabilities); check_capabilities() of cook/methods.h rejects the rest.
// World space, metres, seconds; points of loads are in rest space.
//
//   Environment environment;
//   environment.loads.push_back({belly, {0, 0, -30}, 0.1});                                // 30 N backwards
//   environment.colliders.capsules.push_back(sphere_collider(ball, 0.2));                  // standing still
//   deformer->advance(rig, environment);
#pragma once

#include <optional>
#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/contact/falling_ball.h"
#include "sinew/contact/held_points.h"
#include "sinew/contact/obstacles.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Range of Environment::stiffness and damping.
inline constexpr double least_of_tissue = 0.01, most_of_tissue = 100;

struct Environment {
  std::vector<HeldPoint> held;  // position constraints; those that conflict are each met in part
  // Colliders at the end and at the beginning of the step. `colliders_before` empty: they do not move.
  Colliders colliders, colliders_before;
  std::vector<FallingBall> balls{};  // colliders that the flesh moves; needs colliders_before
  // Height of a ground plane, metres. Unlike a collider it yields to goals that reach below it (docs/flesh.md, Ground).
  std::optional<double> ground;
  double friction = 0;            // coefficient of Coulomb friction with colliders and ground
  std::vector<Load> loads;        // loads during the step
  std::optional<Vec3> gravity{};  // m/s^2; empty: the scene's own
  // Motion of each of the scene's free handles (deform/handle_settings.h): rest space to world, metres. Empty: they are
  // at rest.
  std::vector<Affine> handles{};
  // Rotation of each element of the body, rest to world, in place of those of bones and handles; empty: these.
  std::vector<Mat3> rotations{};
  // Multipliers of the elastic and the viscous forces of the whole body as the step ends, within the range above; 1: as
  // cooked.
  double stiffness = 1, damping = 1;

  Obstacles obstacles() const { return {colliders, colliders_before, ground}; }
  void clear();  // keeps allocated memory
  bool touches() const { return ground || !colliders.empty(); }
  bool changes_tissue() const { return stiffness != 1 || damping != 1; }
  bool empty() const { return held.empty() && !touches() && loads.empty() && !gravity && !changes_tissue(); }
};

// Throws usage_error for numbers that are not finite and for held vertices beyond the surface.
void check_environment(const Environment& environment, std::size_t surface_vertices);

}  // namespace sinew
