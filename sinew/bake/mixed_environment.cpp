#include "sinew/bake/mixed_environment.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/mixed_fem/outside_forces.h"

namespace sinew {
namespace {

constexpr Vec3 gravity{0, -9.81, 0};  // m/s^2, world

int joint_named(const Character& character, const std::string& name, std::size_t collider) {
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == name; });
  if (found == joints.end())
    throw usage_error("colliders[" + std::to_string(collider) + "]: " + character.file + " has no joint '" + name +
                      "'; `sinew info --json` lists the nodes.");
  return static_cast<int>(found - joints.begin());
}

bool acts(const MixedPoke& poke, double seconds) {
  return seconds >= poke.begin.value_or(-HUGE_VAL) && seconds <= poke.end.value_or(HUGE_VAL);
}

void add_collider(const MixedCollider& collider, const Affine& motion, Colliders& colliders) {
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

MixedEnvironment::MixedEnvironment(const Character& character, const MixedScene& scene, const MixedSettings& settings)
    : character_(character), scene_(scene), settings_(settings) {
  if (has_colliders() || !settings.pokes.empty()) surface_ = surface_points(scene.mesh, scene.embedding.points);
  const Pose rest = sample(character.skeleton, nullptr, 0);
  const Affine to_units{Mat3::identity() * (1 / character.metres_per_unit), {}};
  for (std::size_t c = 0; c < settings.colliders.size(); ++c) {
    const std::string& name = settings.colliders[c].joint;
    joint_of_collider_.push_back(name.empty() ? -1 : joint_named(character, name, c));
    default_pose_to_joint_.push_back(
        name.empty() ? Affine{} : inverse(rest.world[static_cast<std::size_t>(joint_of_collider_.back())]) * to_units);
  }
}

bool MixedEnvironment::empty() const { return !settings_.gravity && !has_colliders() && settings_.pokes.empty(); }

std::vector<Vec3> MixedEnvironment::forces(double seconds) const {
  std::vector<Vec3> forces;
  if (!settings_.gravity && settings_.pokes.empty()) return forces;
  forces.resize(scene_.mesh.positions.size());
  if (settings_.gravity) add_weight(scene_.mass, gravity, forces);
  for (const MixedPoke& poke : settings_.pokes)
    if (acts(poke, seconds)) add_poke(surface_, scene_.mesh.positions, {poke.point, poke.force, poke.radius}, forces);
  return forces;
}

Colliders MixedEnvironment::colliders(const Pose& pose) const {
  Colliders colliders;
  if (settings_.ground) colliders.planes.push_back({{0, *settings_.ground, 0}, {0, 1, 0}});
  const Affine metres{Mat3::identity() * character_.metres_per_unit, {}};
  for (std::size_t c = 0; c < settings_.colliders.size(); ++c) {
    const int joint = joint_of_collider_[c];
    const Affine motion =
        joint < 0 ? Affine{} : metres * (pose.world[static_cast<std::size_t>(joint)] * default_pose_to_joint_[c]);
    add_collider(settings_.colliders[c], motion, colliders);
  }
  return colliders;
}

}  // namespace sinew
