#include "sinew/gltf/write/replace_motion.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sinew/bake/posed_motion.h"
#include "sinew/gltf/write/write_channels.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_weights.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

void replace_matrix(Json& node) {
  const auto found = node.find("matrix");
  if (found == node.end()) return;
  const std::vector<double> m = found->get<std::vector<double>>();
  const Transform t = to_transform(
      {Mat3::from_columns({m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}), {m[12], m[13], m[14]}});
  node.erase(found);
  node["translation"] = {t.translation.x, t.translation.y, t.translation.z};
  node["rotation"] = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w};
  node["scale"] = {t.scale.x, t.scale.y, t.scale.z};
}

}  // namespace

GltfDocument with_motion_of(const GltfDocument& document, int index, const Clip& clip, std::span<const int> joints) {
  std::vector<Channel> channels;
  std::copy_if(clip.channels.begin(), clip.channels.end(), std::back_inserter(channels), [&](const Channel& channel) {
    return channel.path != ChannelPath::weights &&
           std::find(joints.begin(), joints.end(), channel.joint) != joints.end();
  });
  GltfEdit edit(document);
  for (const int joint : joints) replace_matrix(edit.json()["nodes"][static_cast<std::size_t>(joint)]);
  Json& animations = array_of(edit.json(), "animations");
  if (index < 0)
    animations.push_back(Json{{"name", clip.name}, {"channels", Json::array()}, {"samplers", Json::array()}});
  ChannelsWriter(edit).write(channels, index < 0 ? animations.back() : animations[static_cast<std::size_t>(index)]);
  return edited_document(edit);
}

void take_over_poses(GltfDocument& document, Character& character, Recording& recording) {
  if (recording.posed.empty()) return;
  const bool at_rest = recording.clip < 0;
  Clip clip = with_posed_joints(
      character.skeleton, at_rest ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)], recording);
  if (at_rest && clip.channels.empty()) return;  // posed as at rest
  if (at_rest) clip.name = flesh_at_rest;
  std::vector<int> joints;
  for (const PosedJoint& posed : recording.posed) joints.push_back(posed.joint);
  document = with_motion_of(document, recording.clip, clip, joints);
  if (at_rest) {
    recording.clip = static_cast<int>(character.clips.size());
    character.clips.push_back(std::move(clip));
  } else {
    character.clips[static_cast<std::size_t>(recording.clip)] = std::move(clip);
  }
}

}  // namespace sinew
