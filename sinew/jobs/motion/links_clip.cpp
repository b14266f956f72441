#include "sinew/jobs/motion/links_clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/kinematics/anatomical_frames.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

double clip_time(const Clip& clip, bool repeats, double time) {
  const double length = clip.end - clip.start;
  if (!(length > 0)) return clip.start;
  return clip.start + (repeats ? time - std::floor(time / length) * length : std::min(time, length));
}

Affine local_of(const Skeleton& skeleton, const Pose& pose, int joint) {
  const int parent = skeleton.joints[index(joint)].parent;
  const Affine& own = pose.world[index(joint)];
  return parent < 0 ? own : inverse(pose.world[index(parent)]) * own;
}

// Puts the links into a pose of the skeleton; all other joints follow by the local transforms that they had.
void pose_skeleton(const Skeleton& skeleton, std::span<const int> link_of, const PlacedJoints& placed,
                   double metres_per_unit, Pose& pose) {
  std::vector<Affine> local;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j)
    local.push_back(local_of(skeleton, pose, static_cast<int>(j)));
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    Affine& world = pose.world[index(joint)];
    if (const int link = link_of[index(joint)]; link >= 0) {
      const Quat turn = placed.rotation[index(link)] * conjugate(orientation_of(world));
      world = {to_matrix(normalized(turn)) * world.linear, placed.place[index(link)] / metres_per_unit};
    } else if (parent >= 0) {
      world = pose.world[index(parent)] * local[index(joint)];
    }
  }
}

void append(std::vector<double>& values, std::initializer_list<double> numbers) {
  values.insert(values.end(), numbers);
}

// Whether all keys are the same but for rounding.
bool is_constant(const Channel& channel, double tolerance) {
  const auto n = index(channel.components);
  for (std::size_t k = n; k < channel.values.size(); ++k)
    if (!(std::abs(channel.values[k] - channel.values[k % n]) <= tolerance)) return false;
  return true;
}

}  // namespace

Clip clip_of_links(const Character& character, const ArticulatedBody& body, const Clip* source, bool repeats,
                   std::span<const double> times, std::span<const TreePose> poses, const std::string& name) {
  const Skeleton& skeleton = character.skeleton;
  const std::size_t joints = skeleton.joints.size();
  std::vector<int> link_of(joints, -1);
  for (std::size_t k = 0; k < body.size(); ++k) link_of[index(body.joint[k])] = static_cast<int>(k);
  // Channels of links, and of joints that the source moves.
  std::vector<char> moves(joints);
  for (const int joint : body.joint) moves[index(joint)] = 1;
  if (source != nullptr)
    for (const Channel& channel : source->channels)
      if (channel.path != ChannelPath::weights) moves[index(channel.joint)] = 1;
  const std::vector<double> keys(times.begin(), times.end());
  std::vector<std::array<Channel, 3>> channels(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    const int joint = static_cast<int>(j);
    channels[j] = {Channel{joint, ChannelPath::rotation, Interpolation::linear, keys, 4, {}},
                   Channel{joint, ChannelPath::translation, Interpolation::linear, keys, 3, {}},
                   Channel{joint, ChannelPath::scale, Interpolation::linear, keys, 3, {}}};
  }
  PlacedJoints placed;
  SamplingSpace space;
  Pose pose;
  std::vector<Quat> before(joints);
  for (std::size_t f = 0; f < times.size(); ++f) {
    sample(skeleton, source, source != nullptr ? clip_time(*source, repeats, times[f]) : 0, space, pose);
    place_joints(body.tree, poses[f], placed);
    pose_skeleton(skeleton, link_of, placed, character.metres_per_unit, pose);
    for (std::size_t j = 0; j < joints; ++j) {
      if (!moves[j]) continue;
      const Transform local = to_transform(local_of(skeleton, pose, static_cast<int>(j)));
      const Quat turn = f == 0 ? local.rotation : nearer_quaternion(local.rotation, before[j]);
      before[j] = turn;
      append(channels[j][0].values, {turn.x, turn.y, turn.z, turn.w});
      append(channels[j][1].values, {local.translation.x, local.translation.y, local.translation.z});
      append(channels[j][2].values, {local.scale.x, local.scale.y, local.scale.z});
    }
  }
  Clip clip;
  clip.name = name;
  clip.start = times.front();
  clip.end = times.back();
  for (std::size_t j = 0; j < joints; ++j) {
    if (!moves[j]) continue;
    const Joint& own = skeleton.joints[j];
    const Transform rest = own.rest_matrix ? to_transform(*own.rest_matrix) : own.rest;
    clip.channels.push_back(std::move(channels[j][0]));
    // Lengths of bones and scales stay as they are at rest, unless the source changes them.
    const auto keep = [&](Channel& channel, const Vec3& at_rest) {
      const Vec3 first{channel.values[0], channel.values[1], channel.values[2]};
      const double tolerance = 1e-5 * std::max(norm(at_rest), 1e-3);
      if (!is_constant(channel, tolerance) || distance(first, at_rest) > tolerance)
        clip.channels.push_back(std::move(channel));
    };
    keep(channels[j][1], rest.translation);
    keep(channels[j][2], rest.scale);
  }
  // Expressions go on as in the source, for its first cycle.
  if (source != nullptr)
    for (const Channel& channel : source->channels)
      if (channel.path == ChannelPath::weights && source->start == 0) clip.channels.push_back(channel);
  return clip;
}

}  // namespace sinew
