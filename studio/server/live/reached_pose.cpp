#include "studio/server/live/reached_pose.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/character/choose_clip.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/kinematics/body_poser.h"
#include "sinew/kinematics/line_of_action.h"
#include "sinew/kinematics/reach_pose.h"
#include "sinew/session/pose_changes.h"

namespace sinew::studio {
namespace {

// The character as the page shows it.
Pose pose_at(const Character& character, const std::string& clip, double clip_time, const HandPose& by_hand) {
  const Clip* played = clip.empty() ? nullptr : &character.clips[index(choose_clip(character, clip))];
  SamplingSpace sampling;
  Pose pose;
  sample(character.skeleton, played, clip_time, sampling, pose);
  std::vector<LocalRotation> turned;
  for (const auto& [joint, rotation] : by_hand.joints) turned.push_back({joint, rotation});
  turn_joints(character, sampling, turned, by_hand.carried, pose);
  return pose;
}

// Per joint, whether it is a bone; with `helpers` those count that only move flesh.
std::vector<char> bones_of(const LoadedCharacter& loaded, bool helpers) {
  std::vector<char> bone(loaded.opened->character.skeleton.joints.size());
  for (const Bone& each : loaded.scene->surface->bones) bone[index(each.joint)] = helpers || !each.helper;
  return bone;
}

BodyBones body_bones(const LoadedCharacter& loaded) {
  return character_body(loaded.opened->character, read_humanoid(*loaded.opened->document)).bones;
}

// Feet of some rigs hang on the root: such a foot stays by itself, and the end of the bone that carries it has to stay
// with it.
JointPlace pin_of(const Skeleton& skeleton, const BodyBones& bones, const Pose& pose, int joint, const Vec3& place) {
  for (const auto& [carrier, carried] : carriers(bones))
    if (carried == joint && !descends_from(skeleton, joint, carrier))
      return {carrier, place, pose.world[index(joint)].translation - pose.world[index(carrier)].translation};
  return {joint, place};
}

std::vector<JointPlace> pins_of(const LoadedCharacter& loaded, const Pose& pose, const std::map<int, Vec3>& pinned) {
  std::vector<JointPlace> places;
  if (pinned.empty()) return places;
  const Character& character = loaded.opened->character;
  const BodyBones bones = body_bones(loaded);
  for (const auto& [joint, place] : pinned) {
    if (index(joint) >= pose.world.size())
      places.push_back({joint, place});  // which is refused
    else
      places.push_back(pin_of(character.skeleton, bones, pose, joint, place / character.metres_per_unit));
  }
  return places;
}

HandPose with_turns(HandPose pose, std::span<const JointRotation> turned, const Vec3& moved, double unit) {
  for (const JointRotation& each : turned) pose.joints[each.joint] = each.rotation;
  pose.carried += moved * unit;
  return pose;
}

// Bones without bones below them.
std::vector<int> ends_of_bones(const Skeleton& skeleton, std::span<const char> bone) {
  std::vector<char> has_bones(bone.size());
  for (std::size_t j = 0; j < bone.size(); ++j)
    if (const int parent = skeleton.joints[j].parent; bone[j] && parent >= 0) has_bones[index(parent)] = 1;
  std::vector<int> ends;
  for (std::size_t j = 0; j < bone.size(); ++j)
    if (bone[j] && !has_bones[j]) ends.push_back(static_cast<int>(j));
  return ends;
}

// Feet, and hands of bodies on four legs, that are as low as the lowest one; for other bodies the joints at the ends of
// their lowest bones.
std::vector<int> standing_joints(const LoadedCharacter& loaded, const BodyBones& bones, std::span<const char> bone,
                                 const Pose& pose) {
  constexpr double as_low = 0.06;       // of the height between the lowest and the highest bone
  constexpr std::size_t most_feet = 8;  // the lowest ones
  const Character& character = loaded.opened->character;
  std::vector<int> feet;
  if (bones.complete())
    for (const auto* limbs : {&bones.legs, &bones.arms})
      for (const LimbBones& limb : *limbs)
        if (const int end = limb.end_joint(); end >= 0 && bone[index(end)]) feet.push_back(end);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t j = 0; j < bone.size(); ++j) {
    if (!bone[j]) continue;
    low = std::min(low, pose.world[j].translation.y);
    high = std::max(high, pose.world[j].translation.y);
  }
  if (!bones.complete()) feet = ends_of_bones(character.skeleton, bone);
  double lowest = HUGE_VAL;
  for (const int foot : feet) lowest = std::min(lowest, pose.world[index(foot)].translation.y);
  const auto height = [&](int foot) { return pose.world[index(foot)].translation.y; };
  std::erase_if(feet, [&](int foot) { return height(foot) > lowest + as_low * (high - low); });
  std::stable_sort(feet.begin(), feet.end(), [&](int a, int b) { return height(a) < height(b); });
  if (feet.size() > most_feet) feet.resize(most_feet);
  return feet;
}

}  // namespace

HandPose reached_pose(const LoadedCharacter& loaded, const std::string& clip, const HandPose& now,
                      const command::ReachJoint& reach) {
  const Character& character = loaded.opened->character;
  const double unit = character.metres_per_unit;
  const Pose pose = pose_at(character, clip, reach.clip_time, now);
  const ReachedPose reached = reach_pose(character.skeleton, bones_of(loaded, true), pose,
                                         {reach.joint, reach.target / unit}, pins_of(loaded, pose, reach.pinned));
  return with_turns(now, reached.joints, reached.moved, unit);
}

HandPose lined_pose(const LoadedCharacter& loaded, const std::string& clip, const HandPose& now,
                    const command::DrawLine& line) {
  const Character& character = loaded.opened->character;
  const double unit = character.metres_per_unit;
  const Pose pose = pose_at(character, clip, line.clip_time, now);
  const std::vector<char> bone = bones_of(loaded, false);
  DrawnLine drawn{line.points, line.normal, line.eye / unit};
  for (Vec3& point : drawn.points) point = point / unit;
  LineOptions options;
  options.through = line.through.value_or(-1);
  options.pinned = pins_of(loaded, pose, line.pinned);
  if (line.feet_stay) {
    const BodyBones bones = body_bones(loaded);
    for (const int joint : standing_joints(loaded, bones, bone, pose))
      if (!line.pinned.contains(joint))
        options.pinned.push_back(pin_of(character.skeleton, bones, pose, joint, pose.world[index(joint)].translation));
  }
  const LineOfAction found = line_of_action(character.skeleton, bone, pose, drawn, options);
  return with_turns(now, found.turned, found.moved, unit);
}

}  // namespace sinew::studio
