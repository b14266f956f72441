#include "skeleton.h"

#include <algorithm>
#include <cmath>

#include "exact_math.h"
#include "sinew/base/error.h"

namespace sinew::samples {

Index Skeleton::add(const std::string& name, const std::string& parent, const Vec3& position) {
  joints.push_back({name, parent.empty() ? no_parent : index(parent), position});
  return static_cast<Index>(joints.size() - 1);
}

void Skeleton::add_pair(const std::string& name, const std::string& parent, const Vec3& position) {
  const bool sided = contains(parent + "_l");
  add(name + "_l", sided ? parent + "_l" : parent, position);
  add(name + "_r", sided ? parent + "_r" : parent, mirrored(position));
}

bool Skeleton::contains(const std::string& name) const {
  return std::any_of(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
}

Index Skeleton::index(const std::string& name) const {
  for (Index j = 0; j < joints.size(); ++j)
    if (joints[j].name == name) return j;
  throw simulation_error("The sample has no joint '" + name + "'.");
}

Vec3 Skeleton::offset(Index joint) const {
  const Joint& j = joints[joint];
  return j.parent == no_parent ? j.position : j.position - joints[j.parent].position;
}

Pose::Pose(const Skeleton& skeleton) : rotation(skeleton.joints.size()), skeleton_(&skeleton) {}

void Pose::rotate(const std::string& joint, const Quat& q) {
  Quat& r = rotation[skeleton_->index(joint)];
  r = normalized(q * r);
}

void Pose::set_rotation(const std::string& joint, const Quat& q) { rotation[skeleton_->index(joint)] = normalized(q); }

void Pose::set_world_rotation(const std::string& joint, const Quat& q) {
  const Index j = skeleton_->index(joint);
  const Index parent = skeleton_->joints[j].parent;
  const Quat above = parent == no_parent ? Quat{} : world_rotation(parent);
  rotation[j] = normalized(conjugate(above) * q);
}

Quat Pose::world_rotation(Index joint) const {
  Quat q = rotation[joint];
  for (Index j = skeleton_->joints[joint].parent; j != no_parent; j = skeleton_->joints[j].parent) q = rotation[j] * q;
  return normalized(q);
}

Vec3 Pose::world_position(Index joint) const {
  const Index parent = skeleton_->joints[joint].parent;
  if (parent == no_parent) return skeleton_->joints[joint].position + root_offset;
  return world_position(parent) + sinew::rotate(world_rotation(parent), skeleton_->offset(joint));
}

namespace {

// Columns: along the bone, towards the pole, and across.
Mat3 bone_frame(const Vec3& along, const Vec3& pole) {
  const Vec3 x = normalized(along);
  const Vec3 y = normalized(pole - x * dot(x, pole));
  return Mat3::from_columns(x, y, cross(x, y));
}

}  // namespace

double Pose::reach(const std::string& upper, const std::string& lower, const std::string& end, const Vec3& target,
                   const Quat& end_rotation, const Vec3& pole, const Vec3& rest_pole) {
  const Vec3 upper_rest = skeleton_->offset(skeleton_->index(lower));
  const Vec3 lower_rest = skeleton_->offset(skeleton_->index(end));
  const double a = norm(upper_rest), b = norm(lower_rest);
  const Vec3 start = world_position(upper);
  const double wanted = distance(start, target);
  const double d = std::clamp(wanted, std::fabs(a - b) * 1.001, (a + b) * 0.9999);

  const Vec3 along = normalized(target - start);
  const Vec3 side = normalized(pole - along * dot(along, pole));
  const double forward = (a * a - b * b + d * d) / (2 * d);
  const double out = std::sqrt(std::max(a * a - forward * forward, 0.0));
  const Vec3 middle = start + along * forward + side * out;
  const Vec3 tip = start + along * d;

  set_world_rotation(upper,
                     to_quaternion(bone_frame(middle - start, pole) * transpose(bone_frame(upper_rest, rest_pole))));
  set_world_rotation(lower,
                     to_quaternion(bone_frame(tip - middle, pole) * transpose(bone_frame(lower_rest, rest_pole))));
  set_world_rotation(end, end_rotation);
  return std::fabs(wanted - d);
}

}  // namespace sinew::samples
