#include "studio/server/live/reached_pose.h"

#include <vector>

#include "sinew/base/index.h"
#include "sinew/character/choose_clip.h"
#include "sinew/kinematics/reach_pose.h"
#include "sinew/session/pose_changes.h"

namespace sinew::studio {

HandPose reached_pose(const LoadedCharacter& loaded, const std::string& clip, const HandPose& now,
                      const command::ReachJoint& reach) {
  const Character& character = loaded.opened->character;
  const Clip* played = clip.empty() ? nullptr : &character.clips[index(choose_clip(character, clip))];
  SamplingSpace sampling;
  Pose pose;
  sample(character.skeleton, played, reach.clip_time, sampling, pose);
  std::vector<LocalRotation> turned;
  for (const auto& [joint, rotation] : now.joints) turned.push_back({joint, rotation});
  turn_joints(character, sampling, turned, now.carried, pose);

  std::vector<char> bone(character.skeleton.joints.size());
  for (const Bone& each : loaded.scene->surface->bones) bone[index(each.joint)] = 1;
  const double unit = character.metres_per_unit;
  std::vector<JointPlace> pinned;
  for (const auto& [joint, place] : reach.pinned) pinned.push_back({joint, place / unit});
  const ReachedPose reached = reach_pose(character.skeleton, bone, pose, {reach.joint, reach.target / unit}, pinned);
  HandPose next = now;
  for (const JointRotation& each : reached.joints) next.joints[each.joint] = each.rotation;
  next.carried += reached.moved * unit;
  return next;
}

}  // namespace sinew::studio
