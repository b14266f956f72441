#include "sinew/deform/collider_settings.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew {
namespace {

void add_collider(const ColliderSettings& collider, const Affine& motion, Colliders& colliders) {
  const double scale = std::cbrt(std::abs(determinant(motion.linear)));
  switch (collider.shape) {
    case ColliderShape::plane:
      colliders.planes.push_back({motion * collider.point, motion.linear * collider.normal});
      return;
    case ColliderShape::sphere:
      colliders.capsules.push_back(sphere_collider(motion * collider.point, scale * collider.radius));
      return;
    case ColliderShape::capsule:
      colliders.capsules.push_back({motion * collider.point, motion * collider.other_end, scale * collider.radius});
      return;
  }
}

}  // namespace

void check_collider_settings(const std::vector<ColliderSettings>& colliders) {
  for (std::size_t k = 0; k < colliders.size(); ++k) {
    const ColliderSettings& c = colliders[k];
    const std::string name = "colliders[" + std::to_string(k) + "]";
    if (!is_finite(c.point) || !is_finite(c.other_end) || !is_finite(c.normal))
      throw usage_error(name + ": its numbers must be finite.");
    if (c.shape == ColliderShape::plane && !(norm(c.normal) > 0))
      throw usage_error(name + ": the normal must have a length.");
    if (c.shape != ColliderShape::plane && !(c.radius > 0 && std::isfinite(c.radius)))
      throw usage_error(name + ": the radius must be positive, in metres.");
  }
}

JointMotion::JointMotion(const Character& character, const std::string& joint, const std::string& what)
    : metres_per_unit_(character.metres_per_unit) {
  if (joint.empty()) return;
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == joint; });
  if (found == joints.end())
    throw usage_error(what + ": " + character.file + " has no joint '" + joint +
                      "'; `sinew info --json` lists the nodes.");
  joint_ = static_cast<int>(found - joints.begin());
  const Pose rest = sample(character.skeleton, nullptr, 0);
  const Affine to_units{Mat3::identity() * (1 / character.metres_per_unit), {}};
  default_pose_to_joint_ = inverse(rest.world[static_cast<std::size_t>(joint_)]) * to_units;
}

Affine JointMotion::in(const Pose& pose) const {
  if (joint_ < 0) return {};
  const Affine metres{Mat3::identity() * metres_per_unit_, {}};
  return metres * (pose.world[static_cast<std::size_t>(joint_)] * default_pose_to_joint_);
}

MovingColliders::MovingColliders(const Character& character, const std::vector<ColliderSettings>& settings)
    : settings_(settings) {
  for (std::size_t c = 0; c < settings.size(); ++c)
    motion_.emplace_back(character, settings[c].joint, "colliders[" + std::to_string(c) + "]");
}

Colliders MovingColliders::in(const Pose& pose) const {
  Colliders colliders;
  for (std::size_t c = 0; c < settings_.size(); ++c) add_collider(settings_[c], motion_[c].in(pose), colliders);
  return colliders;
}

}  // namespace sinew
