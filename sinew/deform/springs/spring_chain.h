// Damped springs on joints, as VRM's spring bones and KawaiiPhysics move them: each joint has a tail, which is drawn to
// where the rig has it, keeps some of its velocity, falls, and stays out of solid shapes; its joint turns after it.
// What most games use for hair, ears, tails, breasts and bellies.
//
// A step of h seconds, as the specification of VRMC_springBone 1.0 has it ("Spring bone algorithm"):
//
//   x' = x + (x - x_before) (1 - drag) + h stiffness d + h gravity,        then |x' - head| = length,
//
// d the direction in which the rig has the tail. It is made for steps of 1/60 s and bodies of a person's size, and is
// neither a force nor a velocity: here steps are always 1/60 s, and stiffness and gravity are told for a height of 1.6
// m.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline constexpr double spring_step = 1.0 / 60;    // seconds
inline constexpr double spring_body_height = 1.6;  // metres: of the bodies that the numbers are made for

struct SpringForces {
  double stiffness = 1;  // per second
  double drag = 0.4;     // share of the velocity that is lost in a step
  double gravity = 0;    // per second
  double radius = 0;     // metres: of the tail, that keeps out of colliders
  Vec3 down{0, -1, 0};   // unit, world
};

// A joint that swings.
struct Spring {
  int bone = -1;
  Vec3 head, tail;  // rest space, metres; apart
};

struct SpringChain {
  std::vector<int> parent;      // per bone, before its children; -1: none
  std::vector<Spring> springs;  // ascending in bone
};

// Per spring.
// Bones with joints turned by their springs, and the turns: rest space to world, metres.
struct SwungBones {
  std::vector<Affine> bones, correction;
};

struct SpringState {
  std::vector<Vec3> tail, before;  // world, metres: now and a step ago
  std::vector<Vec3> turned;        // the tail from the head in its bone's own rest space, which shows at any pose
  SwungBones swung;                // room for a step
};

// Tails where the rig has them, moving along with it. `bones`, `next`: rest space to world, a step apart.
SpringState springs_at_rest(const SpringChain& chain, std::span<const Affine> bones, std::span<const Affine> next);

// The bones on both sides of a cut of the rig, and how they move there: RigCut (deform/deformer.h).
struct SpringCut {
  std::span<const Affine> before, left, entered, next;
  double seconds_before = 0, seconds_after = 0;
};

// Across a cut: each joint stays turned as it is, and its tail keeps the velocity that it has relative to the rig.
void carry_springs(const SpringChain& chain, const SpringCut& cut, SpringState& state);

// `size`: of the character, of spring_body_height.
void step_springs(const SpringChain& chain, const SpringForces& forces, double size, std::span<const Affine> bones,
                  const Colliders& colliders, const std::optional<double>& ground, SpringState& state);

// The bones with joints turned so that their tails point along `turned` (SpringState).
std::span<const Affine> turned_bones(const SpringChain& chain, std::span<const Affine> bones,
                                     std::span<const Vec3> turned, SwungBones& swung);

}  // namespace sinew
