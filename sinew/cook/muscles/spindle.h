// The shape of a muscle: a spindle around a smooth curve.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Shares of a muscle's length at its ends that are tendon, without fibres that contract.
inline constexpr double tendon_share = 0.1;

// Where a point lies in a spindle.
struct InSpindle {
  bool inside = false;
  double along = 0;  // share of the length, 0 at the origin
  Vec3 direction{};  // of the curve there, of unit length
};

class Spindle {
 public:
  // A curve through the places, at least two, of which no two in sequence coincide; metres. `radius`: of the middle.
  Spindle(std::span<const Vec3> places, double radius);

  double length() const { return length_; }
  // Radius at a share of the length, metres: 0 at the ends.
  double radius(double along) const;
  InSpindle locate(const Vec3& point) const;
  Vec3 at(double along) const;       // the curve's point at a share of the length
  Vec3 low() const { return low_; }  // corners of a box around it
  Vec3 high() const { return high_; }

 private:
  std::vector<Vec3> curve_;    // a polyline, dense
  std::vector<double> along_;  // of its points, metres from the origin
  double radius_ = 0, length_ = 0;
  Vec3 low_, high_;
};

}  // namespace sinew
