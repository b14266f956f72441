// Other skin of the same body, as an obstacle that each point of the skin sees in its own way: the surface on which the
// two sides meet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "sinew/contact/colliders.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A point of the skin that may touch another part of it in a step.
struct SkinMeeting {
  std::size_t point = 0;  // index of the surface point
  int part = 0;           // the other part, in the numbers of OtherSkin
  // Metres by which the point may pass the surface: 0 where the two sides face each other, more and more where they do
  // not quite.
  double slack = 0;
  Vec3 goal;    // place of the point's goal as the step ends: metres, world
  Gap at_goal;  // OtherSkin::gap() there

  // The least gap of the point, metres: skin that the rig puts beyond the surface may stay as deep. `of_goal`: the
  // goal's gap at that time.
  double floor(const Gap& of_goal) const { return std::min(0.0, of_goal.distance) - slack; }
  double floor() const { return floor(at_goal); }
  // Whether a place is farther than the floor by the tangent plane at the goal, with half the distance from the goal
  // allowed for the surface's bend.
  bool clears_floor(const Vec3& place) const {
    constexpr double bend = 0.5;
    const Vec3 from_goal = place - goal;
    return at_goal.distance + dot(at_goal.normal, from_goal) - bend * norm(from_goal) > floor();
  }
};

class OtherSkin {
 public:
  virtual ~OtherSkin() = default;

  // Points that may touch in the step.
  virtual std::span<const SkinMeeting> meetings() const = 0;
  // Distance of a place from the surface on which the sides meet, and the direction to the point's own side. As the
  // step ends, and as it begins.
  virtual Gap gap(const SkinMeeting& meeting, const Vec3& place) const = 0;
  virtual Gap gap_before(const SkinMeeting& meeting, const Vec3& place) const = 0;
  // Velocity of the other side's skin at a place, m/s, as its bones move it. `step`: seconds.
  virtual Vec3 velocity(const SkinMeeting& meeting, const Vec3& place, double step) const = 0;
};

}  // namespace sinew
