// A curve on the ground that a walk follows: through given points, smooth where they are far apart.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Points of a path without those that are nearer than a micrometre to the one before, where curves through them would
// have no direction; of a closed path also the last ones so near to the first. Metres.
std::vector<Vec3> points_apart(std::span<const Vec3> points, bool closed);

class GroundPath {
 public:
  // A Catmull-Rom curve with centripetal knots through the points, at least two, which are apart as points_apart()
  // leaves them; y is ignored. A closed path leads back to the first point. Metres.
  GroundPath(std::span<const Vec3> points, bool closed);

  double length() const { return along_.back(); }
  // The point after a way along the curve, 0 to length(); beyond its ends it goes straight on.
  Vec3 at(double way) const;
  // Direction at the way, unit length.
  Vec3 direction(double way) const;
  // The way of the point nearest to a place, of those whose way differs from `way` by no more than `reach`.
  double nearest_way(const Vec3& place, double way, double reach) const;
  // The curve as a line of many points.
  const std::vector<Vec3>& points() const { return points_; }

 private:
  std::size_t piece_at(double way) const;

  std::vector<Vec3> points_;
  std::vector<double> along_;  // per point: way from the first one
};

}  // namespace sinew
