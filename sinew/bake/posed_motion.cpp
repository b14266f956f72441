#include "sinew/bake/posed_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/linalg/rotation.h"
#include "sinew/session/pose_changes.h"

namespace sinew {
namespace {

constexpr std::size_t numbers_of_transform = 10;
// Differences from the rest pose below this are rounding: of lengths relative to the largest, of rotations and scales
// absolute.
constexpr double rounding_of_pose = 1e-9;

// True per joint that shows a part, or moves a bone of one.
std::vector<char> joints_of_parts(const Character& character) {
  std::vector<char> used(character.skeleton.joints.size());
  for (const Part& part : character.parts) {
    if (part.joint >= 0) used[index(part.joint)] = 1;
    if (part.skin >= 0)
      for (const int joint : character.skins[index(part.skin)].joints) used[index(joint)] = 1;
  }
  return used;
}

std::vector<int> roots_of_parts(const Character& character) {
  const std::vector<Joint>& joints = character.skeleton.joints;
  std::vector<char> used = joints_of_parts(character);
  std::vector<int> roots;
  for (auto it = character.skeleton.parents_first.rbegin(); it != character.skeleton.parents_first.rend(); ++it)
    if (const int parent = joints[index(*it)].parent; used[index(*it)] && parent >= 0) used[index(parent)] = 1;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (used[j] && joints[j].parent < 0) roots.push_back(static_cast<int>(j));
  return roots;
}

Transform rest_transform(const Joint& joint) {
  return joint.rest_matrix ? to_transform(*joint.rest_matrix) : joint.rest;
}

Transform local_transform(const Skeleton& skeleton, const Pose& pose, int joint) {
  const int parent = skeleton.joints[index(joint)].parent;
  if (parent >= 0 && !(std::abs(determinant(pose.world[index(parent)].linear)) > 0))
    return rest_transform(skeleton.joints[index(joint)]);  // what is scaled to nothing shows no pose
  const Affine& world = pose.world[index(joint)];
  return to_transform(parent < 0 ? world : inverse(pose.world[index(parent)]) * world);
}

// The values of a path of a transform.
std::vector<double> values_of(const Transform& t, ChannelPath path) {
  if (path == ChannelPath::translation) return {t.translation.x, t.translation.y, t.translation.z};
  if (path == ChannelPath::scale) return {t.scale.x, t.scale.y, t.scale.z};
  return {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
}

// Quaternions q and -q are one rotation: each key follows the one before it.
void append_shortest(std::vector<double> values, ChannelPath path, std::vector<double>& keys) {
  if (path == ChannelPath::rotation && !keys.empty()) {
    double cosine = 0;
    for (std::size_t k = 0; k < 4; ++k) cosine += values[k] * keys[keys.size() - 4 + k];
    if (cosine < 0)
      for (double& value : values) value = -value;
  }
  keys.insert(keys.end(), values.begin(), values.end());
}

bool is_constant_at(const std::vector<double>& keys, const std::vector<double>& rest, bool is_rotation) {
  double largest = 1, sign = 1;
  for (const double value : rest) largest = std::max(largest, std::abs(value));
  if (is_rotation) {
    double cosine = 0;
    for (std::size_t k = 0; k < 4; ++k) cosine += keys[k] * rest[k];
    sign = cosine < 0 ? -1 : 1;
  }
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (std::abs(keys[k] - sign * rest[k % rest.size()]) > rounding_of_pose * largest) return false;
  return true;
}

}  // namespace

std::vector<PosedJoint> joints_posed_by(const Character& character, const Take& take, bool is_free) {
  std::vector<int> joints;
  if (is_free) joints = roots_of_parts(character);
  for (const TimedAction& timed : take) {
    if (timed.action.kind == Action::Kind::turn)
      if (const int joint = joint_of_action(character.skeleton, timed.action.name); joint >= 0) joints.push_back(joint);
    if (timed.action.kind != Action::Kind::carry) continue;
    const std::vector<int> roots = roots_of_parts(character);
    joints.insert(joints.end(), roots.begin(), roots.end());
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  std::vector<PosedJoint> posed;
  for (const int joint : joints) posed.push_back({joint, {}});
  return posed;
}

void append_pose(const Skeleton& skeleton, const Pose& pose, std::span<PosedJoint> posed) {
  for (PosedJoint& each : posed) each.local.push_back(local_transform(skeleton, pose, each.joint));
}

void replace_pose(const Skeleton& skeleton, const Pose& pose, std::size_t frame, std::span<PosedJoint> posed) {
  for (PosedJoint& each : posed) each.local[frame] = local_transform(skeleton, pose, each.joint);
}

std::vector<double> numbers_of(std::span<const PosedJoint> posed) {
  std::vector<double> numbers;
  for (const PosedJoint& each : posed)
    for (const Transform& t : each.local)
      for (const ChannelPath path : {ChannelPath::translation, ChannelPath::rotation, ChannelPath::scale}) {
        const std::vector<double> values = values_of(t, path);
        numbers.insert(numbers.end(), values.begin(), values.end());
      }
  return numbers;
}

void set_numbers(std::span<const double> numbers, std::size_t frames, std::span<PosedJoint> posed) {
  constexpr double most = 1e12;  // local transforms have no common unit
  if (numbers.size() != numbers_of_transform * frames * posed.size()) throw forged_state("its number of poses");
  check_within(numbers, most, "a pose of it");
  const double* n = numbers.data();
  for (PosedJoint& each : posed) {
    each.local.resize(frames);
    for (Transform& t : each.local) {
      t = {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}, {n[7], n[8], n[9]}};
      if (std::abs(dot(t.rotation, t.rotation) - 1) > 1e-6) throw forged_state("a pose of it");
      n += numbers_of_transform;
    }
  }
}

Clip with_posed_joints(const Skeleton& skeleton, const Clip* clip, const Recording& recording) {
  Clip result = clip ? *clip : Clip{};
  if (recording.times.empty()) return result;
  for (const PosedJoint& posed : recording.posed)
    for (const ChannelPath path : {ChannelPath::translation, ChannelPath::rotation, ChannelPath::scale}) {
      const Joint& joint = skeleton.joints[index(posed.joint)];
      Channel keys{posed.joint, path, Interpolation::linear, recording.times, path == ChannelPath::rotation ? 4 : 3,
                   {}};
      for (const Transform& local : posed.local) append_shortest(values_of(local, path), path, keys.values);
      const auto is_its = [&](const Channel& channel) { return channel.joint == posed.joint && channel.path == path; };
      const auto old = std::find_if(result.channels.begin(), result.channels.end(), is_its);
      if (old != result.channels.end())
        *old = std::move(keys);
      else if (joint.rest_matrix ||
               !is_constant_at(keys.values, values_of(rest_transform(joint), path), path == ChannelPath::rotation))
        result.channels.push_back(std::move(keys));
    }
  result.start = clip ? std::min(clip->start, recording.times.front()) : recording.times.front();
  result.end = clip ? std::max(clip->end, recording.times.back()) : recording.times.back();
  return result;
}

}  // namespace sinew
