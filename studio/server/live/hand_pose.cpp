#include "studio/server/live/hand_pose.h"

#include "sinew/session/pose_changes.h"

namespace sinew::studio {
namespace {

constexpr double posing_time = 0.12;  // seconds that a change takes

Action pose_action(Action::Kind kind, const std::string& name, const Vec3& target) {
  Action action;
  action.kind = kind;
  action.name = name;
  action.target = target;
  action.seconds = posing_time;
  return action;
}

}  // namespace

void change_pose(Session& session, const Skeleton& skeleton, const HandPose& from, const HandPose& to) {
  for (const auto& [joint, rotation] : to.joints) {
    const auto before = from.joints.find(joint);
    if (before == from.joints.end() || before->second != rotation)
      session.act(turn_to(skeleton, joint, rotation, posing_time));
  }
  for (const auto& [joint, rotation] : from.joints)
    if (!to.joints.contains(joint)) session.act(pose_action(Action::Kind::unturn, action_name(skeleton, joint), {}));
  if (from.carried != to.carried) session.act(pose_action(Action::Kind::carry, {}, to.carried));
}

}  // namespace sinew::studio
