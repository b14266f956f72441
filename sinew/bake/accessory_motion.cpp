#include "sinew/bake/accessory_motion.h"

#include <algorithm>
#include <cstdint>
#include <numbers>

#include "sinew/anatomy/accessories.h"
#include "sinew/bake/record_frames.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr double counts_as_motion = 1e-5;  // share of the height

// Upper bound: motion of the anchor plus motion of what turns about it.
double distance_moved(const RigidMotion& motion, double reach) {
  const double turned =
      frobenius_norm(motion.rotation - Mat3::identity()) / std::numbers::sqrt2;  // for an arm of unit length
  return norm(motion.translation) + turned * reach;
}

}  // namespace

std::vector<AccessoryRecording> accessory_motions(const Character& character, const SimulationSurface& surface,
                                                  const Recording& recording, double height) {
  const std::vector<Accessory> accessories = find_accessories(character, surface);
  std::vector<AccessoryRecording> result;
  for (const Accessory& accessory : accessories)
    result.push_back({accessory.nodes, surface.bones[static_cast<std::size_t>(accessory.bone)].joint, {}, 0});
  if (accessories.empty()) return result;

  const Clip* clip = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
  SamplingSpace space;
  Pose pose;
  std::vector<Affine> bones(surface.bones.size());
  std::vector<Vec3> goal(surface.rest.positions.size()), displacement(goal.size());
  for (std::size_t frame = 0; frame < recording.times.size(); ++frame) {
    sample(character.skeleton, clip, recording.times[frame], space, pose);
    bone_transforms(character, surface.bones, pose, bones);
    read_frame(surface, recording, static_cast<std::int64_t>(frame), displacement);
    for (std::size_t k = 0; k < accessories.size(); ++k) {
      const Accessory& accessory = accessories[k];
      for (const int vertex : accessory.anchor.vertices) {
        const auto v = static_cast<std::size_t>(vertex);
        goal[v] = blended_bone(surface.influences[v], bones) * surface.rest.positions[v];
      }
      const RigidMotion motion = rigid_fit(accessory.anchor, goal, displacement, accessory.steadying);
      result[k].motion.push_back(motion.map());
      result[k].largest = std::max(result[k].largest, distance_moved(motion, accessory.reach));
    }
  }
  std::erase_if(result,
                [&](const AccessoryRecording& accessory) { return accessory.largest < counts_as_motion * height; });
  return result;
}

Affine accessory_motion(const Recording& recording, int node, std::size_t frame) {
  for (const AccessoryRecording& accessory : recording.accessories)
    if (std::binary_search(accessory.nodes.begin(), accessory.nodes.end(), node)) return accessory.motion[frame];
  return {};
}

}  // namespace sinew
