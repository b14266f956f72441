// Small helpers for the clips of characters with two sides.
#pragma once

#include <string>

#include "exact_math.h"
#include "sinew/base/error.h"
#include "skeleton.h"

namespace sinew::samples {

inline Quat mirrored(const Quat& q) { return {q.x, -q.y, -q.z, q.w}; }

struct Side {
  const char* suffix;
  double sign;  // of x: +1 left, -1 right
  Vec3 place(const Vec3& left) const { return sign > 0 ? left : mirrored(left); }
  Quat place(const Quat& left) const { return sign > 0 ? left : mirrored(left); }
  std::string name(const std::string& joint) const { return joint + suffix; }
};
inline constexpr Side left_side{"_l", 1}, right_side{"_r", -1};

// `q` is meant for the left side.
inline void rotate_pair(Pose& pose, const std::string& joint, const Quat& q) {
  pose.rotate(joint + "_l", q);
  pose.rotate(joint + "_r", mirrored(q));
}

// A foot that stands must be where it stands.
inline void require_reach(double miss, const std::string& joint, double time) {
  if (miss > 0.001)
    throw simulation_error("The clip's foot '" + joint + "' is " + std::to_string(miss) + " m out of reach at " +
                           std::to_string(time) + " s.");
}

// Where a joint goes when its foot is turned about a point of the sole.
inline Vec3 turned_about(const Vec3& joint, const Vec3& pivot, const Quat& q) {
  return pivot + rotate(q, joint - pivot);
}

}  // namespace sinew::samples
