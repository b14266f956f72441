#include "sinew/gltf/write/replace_motion.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "sinew/gltf/write/write_channels.h"
#include "sinew/gltf/write/write_edit.h"
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

}  // namespace sinew
