#include "sinew/linalg/turns.h"

#include <algorithm>
#include <numbers>

namespace sinew {
namespace {

Vec3 vector_part(const Quat& q) { return {q.x, q.y, q.z}; }

Quat quaternion(const Vec3& v, double w) { return {v.x, v.y, v.z, w}; }

}  // namespace

Vec3 any_perpendicular(const Vec3& unit) {
  const Vec3 axis = std::abs(unit.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return normalized(cross(unit, axis));
}

Quat shortest_turn(const Vec3& from, const Vec3& to) {
  const double lengths = std::sqrt(squared_norm(from) * squared_norm(to));
  if (!(lengths > 0)) return {};
  // (axis sin, cos) of the whole angle plus (0, 1) points along the half angle.
  const double w = lengths + dot(from, to);
  const Vec3 axis = cross(from, to);
  if (w > 1e-14 * lengths || squared_norm(axis) > 1e-28 * lengths * lengths) return normalized(quaternion(axis, w));
  return quaternion(any_perpendicular(normalized(from)), 0);
}

double turned_angle(const Quat& q) { return 2 * std::atan2(norm(vector_part(q)), std::abs(q.w)); }

double twist_angle(const Quat& q, const Vec3& axis) {
  const double along = dot(vector_part(q), axis);
  if (along == 0 && q.w == 0) return 0;
  const double angle = 2 * std::atan2(along, q.w);
  return angle > std::numbers::pi     ? angle - 2 * std::numbers::pi
         : angle <= -std::numbers::pi ? angle + 2 * std::numbers::pi
                                      : angle;
}

SwingTwist swing_and_twist(const Quat& q, const Vec3& axis) {
  const Quat twist = normalized(quaternion(axis * dot(vector_part(q), axis), q.w));
  return {q * conjugate(twist), twist};
}

}  // namespace sinew
