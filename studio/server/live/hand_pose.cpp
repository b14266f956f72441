#include "studio/server/live/hand_pose.h"

#include <cmath>
#include <vector>

#include "sinew/session/pose_changes.h"

namespace sinew::studio {
namespace {

constexpr double posing_time = 0.04;                        // time constant, seconds
constexpr double arrived_angle = 1e-4, arrived_way = 1e-5;  // radians; metres

double angle_between(const Quat& a, const Quat& b) { return 2 * std::acos(std::fmin(1.0, std::fabs(dot(a, b)))); }

}  // namespace

const Pose& PosedCharacter::at(const Clip* clip, double clip_time, double seconds) {
  const Skeleton& skeleton = character_.skeleton;
  sample(skeleton, clip, clip_time, sampling_, pose_);
  const auto own_rotation = [&](int joint) { return sampled_rotation(skeleton, sampling_, joint); };
  const double share = 1 - std::exp(-seconds / posing_time);

  for (const auto& [joint, rotation] : wanted_.joints) shown_.joints.try_emplace(joint, own_rotation(joint));
  for (auto item = shown_.joints.begin(); item != shown_.joints.end();) {
    const auto wanted = wanted_.joints.find(item->first);
    const bool leaves = wanted == wanted_.joints.end();
    const Quat target = leaves ? own_rotation(item->first) : wanted->second;
    item->second = normalized(slerp(item->second, target, share));
    const bool there = angle_between(item->second, target) < arrived_angle;
    if (there) item->second = target;
    item = leaves && there ? shown_.joints.erase(item) : std::next(item);
  }
  shown_.carried += share * (wanted_.carried - shown_.carried);
  if (distance(shown_.carried, wanted_.carried) < arrived_way) shown_.carried = wanted_.carried;
  if (shown_.empty()) return pose_;

  std::vector<LocalRotation> turned;
  for (const auto& [joint, rotation] : shown_.joints) turned.push_back({joint, rotation});
  turn_joints(character_, sampling_, turned, shown_.carried, pose_);
  return pose_;
}

}  // namespace sinew::studio
