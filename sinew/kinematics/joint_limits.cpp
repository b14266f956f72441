#include "sinew/kinematics/joint_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

// Angles by which a rotation may be beyond a limit by rounding alone, radians.
constexpr double rounding = 1e-12;

// Half-axes below this, radians, leave a segment.
constexpr double flat = 1e-9;

// The nearest point of the ellipse (x/a)^2 + (y/b)^2 = 1 to a point outside of it, x, y >= 0: (a^2 x/(t + a^2),
// b^2 y/(t + b^2)), where t >= 0 puts it on the ellipse. The function of t falls and is convex, so that Newton's steps
// from the left rise to the root.
std::array<double, 2> nearest_on_ellipse(double a, double b, double x, double y) {
  double t = std::max({a * x - a * a, b * y - b * b, 0.0});
  for (int i = 0; i < 60; ++i) {
    const double u = a * x / (t + a * a), v = b * y / (t + b * b);
    const double value = u * u + v * v - 1;
    const double slope = -2 * (u * u / (t + a * a) + v * v / (t + b * b));
    const double step = -value / slope;
    t += step;
    if (!(step > 1e-15 * (t + b * b))) break;
  }
  return {a * a * x / (t + a * a), b * b * y / (t + b * b)};
}

std::array<double, 2> nearest_swing(const JointLimits& limits, double x, double y) {
  const double a = x < 0 ? -limits.about_hinge.least : limits.about_hinge.most;
  const double b = y < 0 ? -limits.about_second.least : limits.about_second.most;
  const double px = std::abs(x), py = std::abs(y);
  std::array<double, 2> nearest{px, py};
  if (a < flat || b < flat)
    nearest = {std::min(px, a), std::min(py, b)};
  else if ((px / a) * (px / a) + (py / b) * (py / b) > 1)
    nearest = nearest_on_ellipse(a, b, px, py);
  return {std::copysign(nearest[0], x), std::copysign(nearest[1], y)};
}

// The end of a range that is nearer on the circle.
double nearest_twist(const TurnRange& range, double angle) {
  if (angle >= range.least && angle <= range.most) return angle;
  const auto apart = [angle](double end) { return std::abs(std::remainder(angle - end, 2 * pi)); };
  return apart(range.least) < apart(range.most) ? range.least : range.most;
}

struct Nearest {
  JointAngles angles;
  double apart = 0;
};

Nearest nearest_angles(const JointLimits& limits, const JointAngles& at) {
  const auto [x, y] = nearest_swing(limits, at.about_hinge, at.about_second);
  const double twist = nearest_twist(limits.twist, at.twist);
  const double turned = std::remainder(at.twist - twist, 2 * pi);
  return {{twist, x, y}, std::hypot(turned, at.about_hinge - x, at.about_second - y)};
}

}  // namespace

JointAngles joint_angles(const JointLimits& limits, const Quat& rotation) {
  const Quat q = conjugate(limits.neutral) * rotation;
  const Vec3 swing = rotation_logarithm(swing_and_twist(q, limits.bone).swing);
  return {twist_angle(q, limits.bone), dot(swing, limits.hinge), dot(swing, cross(limits.bone, limits.hinge))};
}

Quat rotation_of(const JointLimits& limits, const JointAngles& angles) {
  const Vec3 swing = limits.hinge * angles.about_hinge + cross(limits.bone, limits.hinge) * angles.about_second;
  return limits.neutral * rotation_exponential(swing) * axis_angle(limits.bone, angles.twist);
}

Quat within_limits(const JointLimits& limits, const Quat& rotation) {
  const Nearest nearest = nearest_angles(limits, joint_angles(limits, rotation));
  return nearest.apart > rounding ? rotation_of(limits, nearest.angles) : rotation;
}

Quat middle_of(const JointLimits& limits) {
  const auto middle = [](const TurnRange& range) { return (range.least + range.most) / 2; };
  return rotation_of(limits, {middle(limits.twist), middle(limits.about_hinge), middle(limits.about_second)});
}

std::array<Vec3, 3> fixed_axes(const JointLimits& limits, const Quat& rotation) {
  const auto open = [](const TurnRange& range) { return range.most - range.least > flat; };
  std::array<Vec3, 3> free{}, fixed{};
  std::size_t free_count = 0, count = 0;
  // Adds the part of a unit axis at right angles to what is there, if it is no mere rounding.
  const auto add = [](Vec3 axis, std::span<const Vec3> others, std::span<const Vec3> more) {
    for (const auto& list : {others, more})
      for (const Vec3& other : list) axis -= other * dot(other, axis);
    return norm(axis) > 1e-6 ? normalized(axis) : Vec3{};
  };
  const auto set_free = [&](bool is_open, const Vec3& axis) {
    if (!is_open) return;
    free[free_count] = add(axis, std::span(free).first(free_count), {});
    free_count += free[free_count] != Vec3{};
  };
  set_free(open(limits.about_hinge), rotate(limits.neutral, limits.hinge));
  set_free(open(limits.about_second), rotate(limits.neutral, cross(limits.bone, limits.hinge)));
  set_free(open(limits.twist), rotate(rotation, limits.bone));
  for (std::size_t k = 0; k < 3 && free_count + count < 3; ++k) {
    Vec3 axis;
    axis[k] = 1;
    fixed[count] = add(axis, std::span(free).first(free_count), std::span(fixed).first(count));
    count += fixed[count] != Vec3{};
  }
  return fixed;
}

double beyond_limits(const JointLimits& limits, const Quat& rotation) {
  return nearest_angles(limits, joint_angles(limits, rotation)).apart;
}

}  // namespace sinew
