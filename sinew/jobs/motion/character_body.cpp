#include "sinew/jobs/motion/character_body.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/kinematics/find_body_bones.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

bool has_skinned_surface(const Character& character) {
  return std::any_of(character.parts.begin(), character.parts.end(),
                     [](const Part& part) { return is_skinned_surface(part); });
}

// World transforms of all joints in the bind pose, as far as skins bind them. File units.
std::vector<Affine> bind_pose(const Character& character, const std::vector<Bone>& bones, const Pose& default_pose) {
  const double unit = character.metres_per_unit;
  std::vector<Affine> world(default_pose.world.size());
  const auto own_transform = [&](int joint) {
    const Joint& own = character.skeleton.joints[index(joint)];
    return own.rest_matrix ? *own.rest_matrix : to_affine(own.rest);
  };
  std::vector<int> bone_of(world.size(), -1);
  for (std::size_t b = bones.size(); b-- > 0;) bone_of[index(bones[b].joint)] = static_cast<int>(b);
  for (const int joint : character.skeleton.parents_first) {
    const int parent = character.skeleton.joints[index(joint)].parent;
    if (const int bone = bone_of[index(joint)]; bone >= 0)
      world[index(joint)] = Affine{Mat3::identity() * (1 / unit), {}} * inverse(bones[index(bone)].rest_to_joint);
    else
      world[index(joint)] = parent < 0 ? default_pose.world[index(joint)] : world[index(parent)] * own_transform(joint);
  }
  return world;
}

// Whether the default pose is another than the bind pose. `size`: of the character, file units.
bool is_posed(const std::vector<Affine>& bind, const std::vector<Bone>& bones, const Pose& default_pose, double size) {
  constexpr double noticed = 0.01;
  return std::any_of(bones.begin(), bones.end(), [&](const Bone& bone) {
    const auto j = index(bone.joint);
    return norm(bind[j].translation - default_pose.world[j].translation) > noticed * size;
  });
}

// Rotation that makes the axes of bind space those of the world again, after they were turned by at most `most` radians
// with the mean of a default pose that is another than the bind pose; identity where they are turned by more.
Mat3 straightened(const Mat3& bind_to_world, double most) {
  Mat3 turn = Mat3::identity();
  const auto straighten = [&](const Vec3& axis, bool level) {
    Vec3 nearest = (turn * bind_to_world) * nearest_axis(transpose_times(turn * bind_to_world, axis));
    if (level) nearest.y = 0;
    nearest = normalized(nearest);
    if (dot(nearest, axis) >= std::cos(most)) turn = to_matrix(shortest_turn(nearest, axis)) * turn;
  };
  straighten({0, 1, 0}, false);
  straighten({0, 0, 1}, true);
  return turn;
}

double lowest(const Character& character, const Pose& pose) {
  double low = INFINITY;
  for (const Part& part : character.parts)
    if (is_skinned_surface(part))
      for (const Vec3& p : posed_positions(character, part, pose)) low = std::min(low, p.y);
  return low;
}

// Where the default pose is another than the bind pose, the latter is known in its own space only: it is put upright,
// and on the ground that the default pose stands on.
void stand_up(const Character& character, const SimulationSurface& surface, const Pose& default_pose,
              std::vector<Affine>& bind) {
  const double unit = character.metres_per_unit;
  if (!is_posed(bind, surface.bones, default_pose, longest_side(surface) / unit)) return;
  const Bone& first = surface.bones.front();
  for (const Skin& skin : character.skins) {
    const auto at = std::find(skin.joints.begin(), skin.joints.end(), first.joint);
    if (at == skin.joints.end()) continue;
    const Affine bind_to_world =
        bind[index(first.joint)] * skin.inverse_bind[static_cast<std::size_t>(at - skin.joints.begin())];
    constexpr double most = 0.8;  // radians
    Affine stand{straightened(to_matrix(orientation_of(bind_to_world)), most), {}};
    double low = INFINITY;
    for (const Vec3& p : surface.rest.positions) low = std::min(low, (stand * (p / unit)).y);
    stand.translation.y = lowest(character, default_pose) - low;
    for (Affine& joint : bind) joint = stand * joint;
    return;
  }
}

}  // namespace

CharacterBody character_body(const Character& character, const HumanoidMap& humanoid) {
  CharacterBody body;
  const Pose default_pose = sample(character.skeleton, nullptr, 0);
  body.bound = has_skinned_surface(character);
  if (body.bound) {
    const SimulationSurface surface = simulation_surface(character);
    std::vector<Affine> bind = bind_pose(character, surface.bones, default_pose);
    stand_up(character, surface, default_pose, bind);
    body.reference = reference_pose(bind);
  } else {
    body.reference = reference_pose(default_pose.world);
  }
  body.bones = humanoid.empty() ? BodyBones{} : bones_of_humanoid(character.skeleton, humanoid);
  if (!body.bones.complete()) body.bones = find_body_bones(character.skeleton, body.reference.position, {0, 1, 0});
  return body;
}

std::vector<SkinPoint> skin_points(const Character& character, const ReferencePose& reference) {
  std::vector<SkinPoint> points;
  if (!has_skinned_surface(character)) return points;
  const SimulationSurface surface = simulation_surface(character);
  if (!surface.weighted) return points;
  struct FromRest {
    Vec3 joint;  // in rest space
    Quat turn;   // rest space to the reference pose
  };
  std::vector<FromRest> from_rest;
  for (const Bone& bone : surface.bones) {
    const Affine joint_to_rest = inverse(bone.rest_to_joint);
    from_rest.push_back(
        {joint_to_rest.translation, reference.rotation[index(bone.joint)] * conjugate(orientation_of(joint_to_rest))});
  }
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const Influences& by = surface.influences[v];
    if (by.count == 0) continue;
    const auto most = std::max_element(by.weight.begin(), by.weight.begin() + by.count) - by.weight.begin();
    const int bone = by.joint[index(static_cast<int>(most))];
    const int joint = surface.bones[index(bone)].joint;
    const FromRest& from = from_rest[index(bone)];
    const Vec3 away = (surface.rest.positions[v] - from.joint) / character.metres_per_unit;
    points.push_back({joint, reference.position[index(joint)] + rotate(from.turn, away)});
  }
  return points;
}

}  // namespace sinew
