#include "sinew/jobs/motion/motion_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sinew/gltf/write/replace_motion.h"
#include "sinew/gltf/write/write_container.h"

namespace sinew {
namespace {

using MotionJson = nlohmann::json;

// The nodes with their names and places, and the scenes that they are in.
MotionJson nodes_alone(const MotionJson& all) {
  MotionJson json{{"asset", {{"version", "2.0"}, {"generator", "Sinew"}}}, {"nodes", MotionJson::array()}};
  for (const char* key : {"scenes", "scene"})
    if (const auto found = all.find(key); found != all.end()) json[key] = *found;
  for (const MotionJson& node : all.at("nodes")) {
    MotionJson kept = MotionJson::object();
    for (const char* key : {"name", "children", "translation", "rotation", "scale", "matrix"})
      if (const auto found = node.find(key); found != node.end()) kept[key] = *found;
    json["nodes"].push_back(std::move(kept));
  }
  if (const auto scenes = json.find("scenes"); scenes != json.end())
    for (MotionJson& scene : *scenes) {
      scene.erase("extensions");
      scene.erase("extras");
    }
  return json;
}

}  // namespace

void write_motion_file(const GltfDocument& document, const Clip& clip, const std::filesystem::path& output) {
  GltfDocument nodes;
  nodes.json = std::make_unique<MotionJson>(nodes_alone(*document.json));
  nodes.binary = true;
  std::vector<int> joints;
  for (const Channel& channel : clip.channels) joints.push_back(channel.joint);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  const GltfDocument with_clip = with_motion_of(nodes, -1, clip, joints);
  GltfEdit edit(with_clip);
  write_gltf_files(edit, output);
}

}  // namespace sinew
