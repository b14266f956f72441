#include "sinew/deform/collider_settings.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/setting.h"

namespace sinew {
namespace {

constexpr Word<ColliderShape> shapes[] = {
    {"plane", ColliderShape::plane}, {"sphere", ColliderShape::sphere}, {"capsule", ColliderShape::capsule}};

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

// clang-format off
Settings settings_of(ColliderSettings& c) {
  const auto is = [&c](ColliderShape shape) { return [&c, shape] { return c.shape == shape; }; };
  return {
      {.key = "shape", .value = choice(c.shape, shapes), .help = "What it is", .recooks = Recooks::run},
      {.key = "point", .value = &c.point, .help = "Of a plane", .unit = units::metres, .recooks = Recooks::run,
       .applies = is(ColliderShape::plane)},
      {.key = "normal", .value = &c.normal, .help = "Of a plane, away from what is solid", .recooks = Recooks::run,
       .applies = is(ColliderShape::plane),
       .rule = [&c] { return std::string(norm(c.normal) > 0 ? "" : "must have a length."); }},
      {.key = "centre", .value = &c.point, .help = "Of a sphere", .unit = units::metres, .recooks = Recooks::run,
       .applies = is(ColliderShape::sphere)},
      {.key = "from", .value = &c.point, .help = "One end of a capsule's axis", .unit = units::metres,
       .recooks = Recooks::run, .applies = is(ColliderShape::capsule)},
      {.key = "to", .value = &c.other_end, .help = "The other end of a capsule's axis", .unit = units::metres,
       .recooks = Recooks::run, .applies = is(ColliderShape::capsule)},
      {.key = "radius", .value = &c.radius, .help = "Of a sphere or capsule", .range = above(0),
       .unit = units::metres, .recooks = Recooks::run, .applies = [&c] { return c.shape != ColliderShape::plane; }},
      {.key = "joint", .value = &c.joint, .help = "Name of the joint that it moves with",
       .none = "it stays in the world", .empty_is_null = true, .recooks = Recooks::run},
  };
}
// clang-format on

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
  in(pose, colliders);
  return colliders;
}

void MovingColliders::in(const Pose& pose, Colliders& colliders) const {
  colliders.planes.clear();
  colliders.capsules.clear();
  for (std::size_t c = 0; c < settings_.size(); ++c) add_collider(settings_[c], motion_[c].in(pose), colliders);
}

}  // namespace sinew
