// Damped springs on joints, like VRM's spring bones and KawaiiPhysics: each joint has a tail that is pulled to where
// the rig has it, keeps some of its velocity, falls, and stays out of colliders; the joint turns to point at its tail.
// Most games use such springs for hair, ears, tails, breasts and bellies.
//
// A step of h seconds follows the specification of VRMC_springBone 1.0 ("Spring bone algorithm"):
//
//   x' = x + (x - x_before) (1 - drag) + h stiffness d + h gravity,        then |x' - head| = length,
//
// where d is the direction in which the rig has the tail. The terms are neither forces nor velocities, and suit steps
// of 1/60 s and bodies of a person's size. Here steps are always 1/60 s, and stiffness and gravity refer to a height of
// 1.6 m.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline constexpr double spring_step = 1.0 / 60;    // seconds
inline constexpr double spring_body_height = 1.6;  // height that stiffness and gravity refer to, metres

struct SpringForces {
  double stiffness = 1;  // per second
  double drag = 0.4;     // fraction of the velocity lost in a step, 0 to 1
  double gravity = 0;    // per second
  double radius = 0;     // radius of the tail for collisions, metres
  Vec3 down{0, -1, 0};   // unit, world
};

// A joint that swings about `head`.
struct Spring {
  int bone = -1;
  Vec3 head, tail;  // rest space, metres; must differ
};

struct SpringChain {
  std::vector<int> parent;      // per bone, before its children; -1: none
  std::vector<Spring> springs;  // ascending in bone
};

// Maps of the bones with joints turned by their springs, and these turns: rest space to world, metres.
struct SwungBones {
  std::vector<Affine> bones, correction;
};

// Dynamic state, per spring.
struct SpringState {
  std::vector<Vec3> tail, before;  // world, metres: current, and one step earlier
  std::vector<Vec3> turned;  // per spring: vector from head to tail in its bone's rest space, which applies at any pose
  SwungBones swung;          // scratch space for a step
};

// Returns the state with tails where the rig has them, moving along with it. `bones`, `next`: rest space to world, one
// step apart.
SpringState springs_at_rest(const SpringChain& chain, std::span<const Affine> bones, std::span<const Affine> next);

// Bones on both sides of a cut of the rig, and the times between them: RigCut (deform/deformer.h).
struct SpringCut {
  std::span<const Affine> before, left, entered, next;
  double seconds_before = 0, seconds_after = 0;
};

// Carries the state across a cut: each joint keeps its turn, and its tail keeps its velocity relative to the rig.
void carry_springs(const SpringChain& chain, const SpringCut& cut, SpringState& state);

// Advances by one step. `size`: height of the character divided by spring_body_height.
void step_springs(const SpringChain& chain, const SpringForces& forces, double size, std::span<const Affine> bones,
                  const Colliders& colliders, const std::optional<double>& ground, SpringState& state);

// Returns the bones with joints turned so that their tails point along `turned` (SpringState).
std::span<const Affine> turned_bones(const SpringChain& chain, std::span<const Affine> bones,
                                     std::span<const Vec3> turned, SwungBones& swung);

}  // namespace sinew
