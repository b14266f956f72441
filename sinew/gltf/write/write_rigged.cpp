#include "sinew/gltf/write/write_rigged.h"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_draco.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_skins.h"
#include "sinew/gltf/write/write_targets.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

Json node_of(const Joint& joint) {
  const Vec3& place = joint.rest.translation;
  return Json{{"name", joint.name}, {"translation", {place.x, place.y, place.z}}};
}

// The scene that is shown; created if the file has none.
Json& shown_scene(Json& document) {
  Json& scenes = array_of(document, "scenes");
  if (scenes.empty()) scenes.push_back(Json::object());
  return scenes[document.value("scene", std::size_t{0})];
}

void append_joints(GltfEdit& edit, const Skeleton& skeleton, int first_joint) {
  Json& nodes = array_of(edit.json(), "nodes");
  std::vector<int> topmost;
  for (std::size_t j = index(first_joint); j < skeleton.joints.size(); ++j) {
    nodes.push_back(node_of(skeleton.joints[j]));
    if (skeleton.joints[j].parent < 0) topmost.push_back(static_cast<int>(j));
  }
  for (std::size_t j = index(first_joint); j < skeleton.joints.size(); ++j)
    if (const int parent = skeleton.joints[j].parent; parent >= 0)
      array_of(nodes[index(parent)], "children").push_back(j);
  if (topmost.size() > 1) {
    nodes.push_back(Json{{"name", "skeleton"}, {"children", topmost}});
    topmost.assign(1, static_cast<int>(nodes.size() - 1));
  }
  array_of(shown_scene(edit.json()), "nodes").push_back(topmost.front());
}

void decompress(GltfEdit& edit, const std::set<std::size_t>& nodes) {
  AccessorReader reader(edit.document());
  DracoRemover draco(edit, reader);
  for (const std::size_t node : nodes) {
    const auto mesh = edit.json()["nodes"][node]["mesh"].get<std::size_t>();
    for (std::size_t p = 0; p < edit.json()["meshes"][mesh]["primitives"].size(); ++p) draco.remove(mesh, p);
  }
  draco.finish();
}

}  // namespace

std::size_t write_rigged(const GltfDocument& document, const Character& character, int first_joint,
                         const std::filesystem::path& out) {
  check_gltf_output(document, out);
  GltfEdit edit(document);
  const std::set<std::size_t> bound = newly_bound_nodes(document, character);
  decompress(edit, bound);
  separate_shared_meshes(edit, bound);
  append_joints(edit, character.skeleton, first_joint);
  write_new_skins(edit, character);
  return write_gltf_files(edit, out);
}

}  // namespace sinew
