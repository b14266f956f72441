#include "sinew/jobs/motion/character_body.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/kinematics/find_body_bones.h"

namespace sinew {
namespace {

bool has_skinned_surface(const Character& character) {
  return std::any_of(character.parts.begin(), character.parts.end(),
                     [](const Part& part) { return is_skinned_surface(part); });
}

// World transforms of all joints in the bind pose, as far as skins bind them.
std::vector<Affine> bind_pose(const Character& character, const std::vector<Bone>& bones) {
  const Pose pose = sample(character.skeleton, nullptr, 0);
  const double unit = character.metres_per_unit;
  std::vector<Affine> world(pose.world.size());
  const auto own_transform = [&](int joint) {
    const Joint& own = character.skeleton.joints[index(joint)];
    return own.rest_matrix ? *own.rest_matrix : to_affine(own.rest);
  };
  std::vector<int> bone_of(pose.world.size(), -1);
  for (std::size_t b = bones.size(); b-- > 0;) bone_of[index(bones[b].joint)] = static_cast<int>(b);
  for (const int joint : character.skeleton.parents_first) {
    const int parent = character.skeleton.joints[index(joint)].parent;
    if (const int bone = bone_of[index(joint)]; bone >= 0)
      world[index(joint)] = Affine{Mat3::identity() * (1 / unit), {}} * inverse(bones[index(bone)].rest_to_joint);
    else
      world[index(joint)] = parent < 0 ? pose.world[index(joint)] : world[index(parent)] * own_transform(joint);
  }
  return world;
}

}  // namespace

CharacterBody character_body(const Character& character, const HumanoidMap& humanoid) {
  CharacterBody body;
  if (has_skinned_surface(character)) {
    body.reference = reference_pose(bind_pose(character, simulation_surface(character).bones));
  } else {
    body.reference = reference_pose(sample(character.skeleton, nullptr, 0).world);
  }
  body.bones = humanoid.empty() ? BodyBones{} : bones_of_humanoid(character.skeleton, humanoid);
  if (!body.bones.complete()) body.bones = find_body_bones(character.skeleton, body.reference.position, {0, 1, 0});
  return body;
}

}  // namespace sinew
