#include "sinew/kinematics/key_recorder.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {

MovedJoints moved_joints(std::span<const Clip* const> clips) {
  MovedJoints moved;
  for (const Clip* clip : clips)
    for (const Channel& channel : clip->channels)
      (channel.path == ChannelPath::weights ? moved.weights : moved.joints).push_back(channel.joint);
  for (std::vector<int>* list : {&moved.joints, &moved.weights}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return moved;
}

Transform sampled_local(const Skeleton& skeleton, const SamplingSpace& space, std::size_t joint) {
  const std::optional<Affine>& matrix = skeleton.joints[joint].rest_matrix;
  return matrix && !space.animated[joint] ? to_transform(*matrix) : space.local[joint];
}

Transform mixed(const Transform& a, const Transform& b, double weight) {
  return {a.translation * (1 - weight) + b.translation * weight, slerp(a.rotation, b.rotation, weight),
          a.scale * (1 - weight) + b.scale * weight};
}

KeyRecorder::KeyRecorder(const Skeleton& skeleton, MovedJoints moved) : moved_(std::move(moved)) {
  for (const int joint : moved_.joints)
    for (const ChannelPath path : {ChannelPath::translation, ChannelPath::rotation, ChannelPath::scale})
      clip_.channels.push_back({joint, path, Interpolation::linear, {}, path == ChannelPath::rotation ? 4 : 3, {}});
  for (const int joint : moved_.weights) {
    const auto targets = static_cast<int>(skeleton.joints[index(joint)].rest_weights.size());
    clip_.channels.push_back({joint, ChannelPath::weights, Interpolation::linear, {}, targets, {}});
  }
}

void KeyRecorder::add_frame(double time, std::span<const Transform> local,
                            std::span<const std::vector<double>> weights) {
  std::size_t at = 0;
  const auto add = [&](std::initializer_list<double> values) {
    Channel& channel = clip_.channels[at++];
    channel.times.push_back(time);
    channel.values.insert(channel.values.end(), values);
  };
  for (const int joint : moved_.joints) {
    const Transform& own = local[index(joint)];
    Quat q = own.rotation;
    const std::vector<double>& turns = clip_.channels[at + 1].values;
    if (const std::size_t n = turns.size(); n >= 4)
      q = nearer_quaternion(q, {turns[n - 4], turns[n - 3], turns[n - 2], turns[n - 1]});
    add({own.translation.x, own.translation.y, own.translation.z});
    add({q.x, q.y, q.z, q.w});
    add({own.scale.x, own.scale.y, own.scale.z});
  }
  for (const int joint : moved_.weights) {
    Channel& channel = clip_.channels[at++];
    channel.times.push_back(time);
    channel.values.insert(channel.values.end(), weights[index(joint)].begin(), weights[index(joint)].end());
  }
  clip_.end = time;
}

Clip KeyRecorder::take(const std::string& name) {
  clip_.name = name;
  return std::move(clip_);
}

}  // namespace sinew
