// A curve on the ground that a walk follows: through given points, smooth where they are far apart.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

class GroundPath {
 public:
  // A Catmull-Rom curve with centripetal knots through the points, at least two, of which no two in a row are the same;
  // y is ignored. A closed path leads back to the first point. Metres.
  GroundPath(std::span<const Vec3> points, bool closed);

  double length() const { return along_.back(); }
  // The point after a way along the curve, 0 to length(); beyond its ends it goes straight on.
  Vec3 at(double way) const;
  // Direction at the way, unit length.
  Vec3 direction(double way) const;
  // The curve as a line of many points.
  const std::vector<Vec3>& points() const { return points_; }

 private:
  std::size_t piece_at(double way) const;

  std::vector<Vec3> points_;
  std::vector<double> along_;  // per point: way from the first one
};

}  // namespace sinew
