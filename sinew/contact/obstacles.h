// What flesh cannot pass over one step: colliders that may move, and a ground plane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A point with less of its weight on what is solved for belongs to the rig: contact cannot move it.
inline constexpr double least_free_weight = 0.05;

// Colliders first, as numbered, and last the ground. Refers to what it is made of.
struct Obstacles {
  const Colliders& now;          // as the step ends
  const Colliders& before;       // as it begins; empty: they stand still
  std::optional<double> ground;  // height of the plane, metres

  std::size_t size() const { return now.size() + (ground ? 1 : 0); }
  bool is_ground(std::size_t obstacle) const { return obstacle == now.size(); }

  Gap gap(std::size_t obstacle, const Vec3& place) const { return gap_among(now, obstacle, place); }
  Gap gap_before(std::size_t obstacle, const Vec3& place) const {
    return gap_among(before.empty() ? now : before, obstacle, place);
  }

 private:
  Gap gap_among(const Colliders& colliders, std::size_t obstacle, const Vec3& place) const {
    return is_ground(obstacle) ? Gap{place.y - *ground, {0, 1, 0}} : gap_to(colliders, obstacle, place);
  }
};

// Lengths that a search for contacts goes by, metres.
struct ContactLengths {
  double negligible = 0;    // no contact is worth a search for less
  double yielding = 0;      // the ground yields to goals that the animator pressed into it by less
  double longest_push = 0;  // what is deeper after a jump of the clip is let out over several steps
};

// `extent`: the largest side of the box around the body at rest.
ContactLengths contact_lengths(double extent);
double largest_extent(std::span<const Vec3> rest);

// Where the ground ends for a point whose goal is at this height: the goal where that is below the plane, and ever
// further below it the deeper the animator put it (docs/flesh.md, Ground).
inline double floor_of_ground(double ground, double goal, double yielding) {
  return std::min(ground, goal) - std::max(0.0, ground - goal - yielding);
}

}  // namespace sinew
