#include "sinew/gltf/read/read_humanoid.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "sinew/gltf/read/read_json.h"

namespace sinew {
namespace {

using Humanoid = std::vector<std::pair<std::string, int>>;

int node_of(const JsonView& bone, std::size_t nodes) {
  return static_cast<int>(bone.require_object().at("node").to_index(nodes, "node"));
}

// VRM 0: a list of bones, each with its name.
Humanoid listed_bones(const JsonView& humanoid, std::size_t nodes) {
  Humanoid bones;
  for (const JsonView& bone : humanoid.elements("humanBones"))
    if (const std::string name = bone.require_object().string_or("bone", ""); !name.empty())
      bones.emplace_back(name, node_of(bone, nodes));
  return bones;
}

// VRM 1 and VRMA: an object with a member per bone.
Humanoid member_bones(const JsonView& humanoid, std::size_t nodes) {
  Humanoid bones;
  if (const auto map = humanoid.find("humanBones"))
    for (const auto& [name, bone] : map->require_object().members()) bones.emplace_back(name, node_of(bone, nodes));
  return bones;
}

}  // namespace

std::vector<std::pair<std::string, int>> read_humanoid(const GltfDocument& document) {
  const JsonView root(document.path.string(), *document.json, "");
  const auto extensions = root.find("extensions");
  if (!extensions) return {};
  const std::size_t nodes = root.count("nodes");
  for (const char* name : {"VRMC_vrm_animation", "VRMC_vrm", "VRM"}) {
    const auto extension = extensions->find(name);
    const std::optional<JsonView> humanoid = extension ? extension->require_object().find("humanoid") : std::nullopt;
    if (!humanoid) continue;
    const JsonView view = humanoid->require_object();
    return std::string(name) == "VRM" ? listed_bones(view, nodes) : member_bones(view, nodes);
  }
  return {};
}

}  // namespace sinew
