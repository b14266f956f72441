#include "sinew/character/clip.h"

#include <array>

#include "sinew/character/channel.h"

namespace sinew {
namespace {

void apply(const Channel& channel, double seconds, Transform& local) {
  std::array<double, 4> v{};
  evaluate(channel, seconds, v);
  if (channel.path == ChannelPath::translation) local.translation = {v[0], v[1], v[2]};
  if (channel.path == ChannelPath::rotation) local.rotation = normalized(Quat{v[0], v[1], v[2], v[3]});
  if (channel.path == ChannelPath::scale) local.scale = {v[0], v[1], v[2]};
}

}  // namespace

Pose sample(const Skeleton& skeleton, const Clip* clip, double seconds) {
  Pose pose;
  SamplingSpace space;
  sample(skeleton, clip, seconds, space, pose);
  return pose;
}

void sample(const Skeleton& skeleton, const Clip* clip, double seconds, SamplingSpace& space, Pose& pose) {
  const std::size_t count = skeleton.joints.size();
  pose.morph_weights.resize(count);
  std::vector<Transform>& local = space.local;
  local.resize(count);
  space.animated.assign(count, 0);
  for (std::size_t j = 0; j < count; ++j) {
    local[j] = skeleton.joints[j].rest;
    pose.morph_weights[j] = skeleton.joints[j].rest_weights;
  }
  if (clip != nullptr)
    for (const Channel& channel : clip->channels) {
      const auto joint = static_cast<std::size_t>(channel.joint);
      if (channel.path == ChannelPath::weights) {
        pose.morph_weights[joint].resize(static_cast<std::size_t>(channel.components));
        evaluate(channel, seconds, pose.morph_weights[joint]);
      } else {
        apply(channel, seconds, local[joint]);
        space.animated[joint] = 1;
      }
    }
  pose.properties.resize(skeleton.properties.size());
  for (std::size_t k = 0; k < skeleton.properties.size(); ++k) pose.properties[k] = skeleton.properties[k].rest;
  if (clip != nullptr)
    for (const PropertyChannel& channel : clip->properties) {
      space.values.resize(channel.properties.size());
      evaluate(channel.keys, seconds, space.values);
      for (std::size_t k = 0; k < channel.properties.size(); ++k)
        pose.properties[static_cast<std::size_t>(channel.properties[k])] = space.values[k];
    }
  pose.world.resize(count);
  for (const int index : skeleton.parents_first) {
    const auto j = static_cast<std::size_t>(index);
    const Joint& joint = skeleton.joints[j];
    const Affine own = joint.rest_matrix && !space.animated[j] ? *joint.rest_matrix : to_affine(local[j]);
    pose.world[j] = joint.parent < 0 ? own : pose.world[static_cast<std::size_t>(joint.parent)] * own;
  }
}

}  // namespace sinew
