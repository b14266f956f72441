#include "sinew/session/pose_changes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "sinew/base/threads/scratch.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double radians = std::numbers::pi / 180;

Quat rotation_at(const TurnedJoint& turned, const Quat& of_clip, double elapsed) {
  return normalized(rotation_exponential(turned.way.left_at(elapsed)) * (turned.to_clip ? of_clip : turned.rotation));
}

}  // namespace

Vec3 Way::left_at(double elapsed) const {
  const double s = seconds > 0 ? std::clamp((elapsed - begin) / seconds, 0.0, 1.0) : 1;
  return ((2 * s - 3) * s * s + 1) * left + (((s - 2) * s + 1) * s * seconds) * rate;
}

Vec3 Way::rate_at(double elapsed) const {
  if (over(elapsed)) return {};
  const double s = std::max(0.0, (elapsed - begin) / seconds);
  return (6 * (s - 1) * s / seconds) * left + ((3 * s - 4) * s + 1) * rate;
}

bool PoseChanges::over(double elapsed) const {
  return carry.over(elapsed) &&
         std::all_of(joints.begin(), joints.end(), [&](const TurnedJoint& each) { return each.way.over(elapsed); });
}

int joint_of_action(const Skeleton& skeleton, const std::string& name) {
  const std::vector<Joint>& joints = skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
  if (found != joints.end()) return static_cast<int>(found - joints.begin());
  std::size_t number = 0;
  const char *begin = name.data() + 1, *end = name.data() + name.size();
  if (!name.starts_with('#') || begin == end) return -1;
  const auto [last, failure] = std::from_chars(begin, end, number);
  if (last != end || failure != std::errc()) return -1;
  return number < joints.size() ? static_cast<int>(number) : -1;
}

std::string action_name(const Skeleton& skeleton, int joint) {
  const std::string& name = skeleton.joints[static_cast<std::size_t>(joint)].name;
  return joint_of_action(skeleton, name) == joint ? name : std::string("#").append(std::to_string(joint));
}

Quat rest_rotation(const Joint& joint) {
  return joint.rest_matrix ? to_transform(*joint.rest_matrix).rotation : joint.rest.rotation;
}

Action turn_to(const Skeleton& skeleton, int joint, const Quat& rotation, double seconds) {
  const Quat rest = rest_rotation(skeleton.joints[static_cast<std::size_t>(joint)]);
  Action action;
  action.kind = Action::Kind::turn;
  action.name = action_name(skeleton, joint);
  action.seconds = seconds;
  action.rotation = rotation_logarithm(conjugate(rest) * rotation) / radians;
  return action;
}

void change_pose(const Action& action, int joint, const Quat& rest, const ClipRotation& of_clip, double elapsed,
                 PoseChanges& changes) {
  if (action.kind == Action::Kind::carry) {
    const Way before = changes.carry;
    changes.carry = {changes.carried + before.left_at(elapsed) - action.target, before.rate_at(elapsed), elapsed,
                     action.seconds};
    changes.carried = action.target;
    return;
  }
  std::erase_if(changes.joints,
                [&](const TurnedJoint& each) { return each.to_clip && each.joint != joint && each.way.over(elapsed); });
  auto turned = std::find_if(changes.joints.begin(), changes.joints.end(),
                             [&](const TurnedJoint& each) { return each.joint == joint; });
  if (turned == changes.joints.end()) {
    if (action.kind == Action::Kind::unturn) return;
    turned = changes.joints.insert(turned, {joint, true, {}, {}});
  }
  const Quat now = rotation_at(*turned, of_clip.rotation, elapsed);
  const Vec3 rate = turned->way.rate_at(elapsed) + (turned->to_clip ? of_clip.rate : Vec3{});
  turned->to_clip = action.kind == Action::Kind::unturn;
  turned->rotation = normalized(rest * rotation_exponential(radians * action.rotation));
  const Quat& to = turned->to_clip ? of_clip.rotation : turned->rotation;
  turned->way = {rotation_logarithm(now * conjugate(to)), rate - (turned->to_clip ? of_clip.rate : Vec3{}), elapsed,
                 action.seconds};
}

Quat sampled_rotation(const Skeleton& skeleton, const SamplingSpace& sampling, int joint) {
  const auto j = static_cast<std::size_t>(joint);
  const std::optional<Affine>& matrix = skeleton.joints[j].rest_matrix;
  return matrix && !sampling.animated[j] ? to_transform(*matrix).rotation : sampling.local[j].rotation;
}

void turn_joints(const Character& character, const SamplingSpace& sampling, std::span<const LocalRotation> turned,
                 const Vec3& carried, Pose& pose) {
  const Vec3 way = carried / character.metres_per_unit;
  for (const int index : character.skeleton.parents_first) {
    const auto j = static_cast<std::size_t>(index);
    const Joint& joint = character.skeleton.joints[j];
    const bool by_matrix = joint.rest_matrix && !sampling.animated[j];
    Affine own = by_matrix ? *joint.rest_matrix : to_affine(sampling.local[j]);
    for (const LocalRotation& each : turned) {
      if (each.joint != index) continue;
      const Vec3 scale = by_matrix ? to_transform(own).scale : sampling.local[j].scale;
      own.linear = to_matrix(each.rotation) * Mat3::diagonal(scale);
    }
    if (joint.parent < 0) own.translation += way;
    pose.world[j] = joint.parent < 0 ? own : pose.world[static_cast<std::size_t>(joint.parent)] * own;
  }
}

void apply_pose_changes(const Character& character, const PoseChanges& changes, double elapsed,
                        const SamplingSpace& sampling, Pose& pose) {
  if (changes.empty(elapsed)) return;
  ScratchVector<LocalRotation> turned;
  for (const TurnedJoint& each : changes.joints)
    if (!each.to_clip || !each.way.over(elapsed))
      turned.push_back(
          {each.joint, rotation_at(each, sampled_rotation(character.skeleton, sampling, each.joint), elapsed)});
  turn_joints(character, sampling, turned, changes.carried + changes.carry.left_at(elapsed), pose);
}

}  // namespace sinew
