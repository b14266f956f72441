#include "sinew/kinematics/standing.h"

#include <cmath>
#include <numbers>

#include "sinew/base/index.h"
#include "sinew/character/clip.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

const Vec3 heading_axis{0, 1, 0};

}  // namespace

Vec3 turned(double heading, const Vec3& v) { return rotate(axis_angle(heading_axis, heading), v); }

Standing after(const Standing& first, const Standing& step) {
  return {first.heading + step.heading, first.place + turned(first.heading, step.place)};
}

Standing between(const Standing& from, const Standing& to) {
  return {to.heading - from.heading, turned(-from.heading, to.place - from.place)};
}

Standing inverse(const Standing& standing) { return between(standing, {}); }

Standing mixed(const Standing& a, const Standing& b, double weight) {
  return {std::lerp(a.heading, b.heading, weight), a.place * (1 - weight) + b.place * weight};
}

double nearest_heading(double heading, double near) {
  return near + std::remainder(heading - near, 2 * std::numbers::pi);
}

Affine to_affine(const Standing& standing) {
  return {to_matrix(axis_angle(heading_axis, standing.heading)), standing.place};
}

RootStanding::RootStanding(const Skeleton& skeleton, int root) : root_(root) {
  if (root >= 0) rest_ = rotation(sample(skeleton, nullptr, 0));
}

Quat RootStanding::rotation(const Pose& pose) const { return to_transform(pose.world[index(root_)]).rotation; }

double RootStanding::heading(const Pose& pose) const {
  return twist_angle(rotation(pose) * conjugate(rest_), heading_axis);
}

Standing RootStanding::operator()(const Pose& pose) const {
  const Vec3 at = pose.world[index(root_)].translation;
  return {heading(pose), {at.x, 0, at.z}};
}

}  // namespace sinew
