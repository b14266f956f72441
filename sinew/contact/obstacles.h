// Obstacles for one step: colliders, which may move, a ground plane, and other skin of the same body.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "sinew/contact/colliders.h"
#include "sinew/contact/other_skin.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Least weight of the unknowns in a surface point for contact to act on it; with less, the point belongs to the rig.
inline constexpr double least_free_weight = 0.05;

// All obstacles of a step, numbered as the colliders, with the ground last; behind them, each meeting of the skin with
// other skin is an obstacle for its point alone. Refers to the objects it is made from.
struct Obstacles {
  const Colliders& now;          // colliders at the end of the step
  const Colliders& before;       // colliders at its beginning; empty: they do not move
  std::optional<double> ground;  // height of the ground plane, metres
  const OtherSkin* skin = nullptr;

  // Number of those that all points see.
  std::size_t size() const { return now.size() + (ground ? 1 : 0); }
  std::size_t meetings() const { return skin ? skin->meetings().size() : 0; }
  bool is_ground(std::size_t obstacle) const { return ground && obstacle == now.size(); }
  bool is_skin(std::size_t obstacle) const { return obstacle >= size(); }
  const SkinMeeting& meeting(std::size_t obstacle) const { return skin->meetings()[obstacle - size()]; }
  bool moves(std::size_t obstacle) const { return is_skin(obstacle) || (!is_ground(obstacle) && !before.empty()); }

  Gap gap(std::size_t obstacle, const Vec3& place) const {
    return is_skin(obstacle) ? skin->gap(meeting(obstacle), place) : gap_among(now, obstacle, place);
  }
  // Velocity of an obstacle's material at a place, m/s.
  Vec3 velocity(std::size_t obstacle, const Vec3& place, double step) const {
    if (is_skin(obstacle)) return skin->velocity(meeting(obstacle), place, step);
    return moves(obstacle) ? velocity_at(before, now, obstacle, place, step) : Vec3{};
  }
  Gap gap_before(std::size_t obstacle, const Vec3& place) const {
    if (is_skin(obstacle)) return skin->gap_before(meeting(obstacle), place);
    return gap_among(before.empty() ? now : before, obstacle, place);
  }

 private:
  Gap gap_among(const Colliders& colliders, std::size_t obstacle, const Vec3& place) const {
    return is_ground(obstacle) ? Gap{place.y - *ground, {0, 1, 0}} : gap_to(colliders, obstacle, place);
  }
};

// Lengths that control the search for contacts, metres.
struct ContactLengths {
  double negligible = 0;           // penetration that is too small for a search
  double largest_exact_depth = 0;  // depth below the ground up to which goals are their own floor (floor_of_ground())
  double longest_push = 0;         // deeper penetrations, after a jump of the clip, are resolved over several steps
};

// `extent`: the longest side of the bounding box of the body at rest.
ContactLengths contact_lengths(double extent);
double largest_extent(std::span<const Vec3> rest);

// Height of the ground for a point with this goal height: the goal where that is below the plane, and increasingly
// further below for deeper goals (docs/flesh.md, Ground).
inline double floor_of_ground(double ground, double goal, double largest_exact_depth) {
  return std::min(ground, goal) - std::max(0.0, ground - goal - largest_exact_depth);
}

}  // namespace sinew
