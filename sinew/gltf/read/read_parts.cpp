#include "sinew/gltf/read/read_parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sinew/gltf/read/read_influences.h"
#include "sinew/gltf/read/read_primitive.h"
#include "sinew/gltf/read/read_skeleton.h"

namespace sinew {
namespace {

struct Mesh {
  std::vector<Primitive> primitives;
  std::size_t targets = 0;
  std::vector<double> weights;            // default weights of the targets
  std::vector<std::string> target_names;  // empty if there are none
};

// Names of morph targets, which exporters write as `targetNames` in the extras of a mesh or a primitive.
std::vector<std::string> read_target_names(const nlohmann::json& place) {
  std::vector<std::string> names;
  const auto extras = place.find("extras");
  if (extras == place.end() || !extras->is_object()) return names;
  const auto found = extras->find("targetNames");
  if (found == extras->end() || !found->is_array()) return names;
  for (const nlohmann::json& name : *found) names.push_back(name.is_string() ? name.get<std::string>() : "");
  return names;
}

// Default weights of `place`, a mesh or a node, checked against the number of targets.
std::optional<std::vector<double>> read_weights(const JsonView& place, std::size_t targets) {
  const auto view = place.find("weights");
  if (!view) return std::nullopt;
  std::vector<double> weights = view->to_numbers();
  if (weights.size() != targets)
    throw view->error("has " + std::to_string(weights.size()) + " entries, but the mesh has " +
                      std::to_string(targets) + " morph targets; export the file again.");
  return weights;
}

Mesh read_mesh(const JsonView& view, int number, const JsonView& root, AccessorReader& accessors,
               std::vector<Defect>& repairs) {
  Mesh mesh;
  const std::string name = view.require_object().string_or("name", "mesh " + std::to_string(number));
  mesh.target_names = read_target_names(view.value());
  view.at("primitives");
  const std::vector<JsonView> primitives = view.elements("primitives");
  if (primitives.empty()) throw view.error("has no primitives; remove the mesh or export the file again.");
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    const std::string part_name = primitives.size() > 1 ? name + "." + std::to_string(p) : name;
    mesh.primitives.push_back(read_primitive(primitives[p], root, part_name, accessors, repairs));
    Part& part = mesh.primitives.back().part;
    part.mesh = number;
    part.primitive = static_cast<int>(p);
    const std::size_t targets = primitives[p].count("targets");
    if (p > 0 && targets != mesh.targets)
      throw primitives[p].error("has " + std::to_string(targets) + " morph targets, but the mesh's first primitive " +
                                std::to_string(mesh.targets) + "; export the file again.");
    mesh.targets = targets;
    if (mesh.target_names.empty()) mesh.target_names = read_target_names(primitives[p].value());
  }
  mesh.weights = read_weights(view, mesh.targets).value_or(std::vector<double>(mesh.targets, 0.0));
  return mesh;
}

void spend_part(const Primitive& primitive, bool skinned, AccessorReader& accessors) {
  const std::size_t vertices = primitive.part.surface.positions.size();
  const std::size_t per_vertex = 9 + 3 * primitive.part.targets.size() + (skinned ? 13 : 0);
  accessors.spend(vertices * per_vertex + 2 * primitive.part.surface.triangles.size());
}

void show_mesh(const Mesh& mesh, int joint, std::optional<std::size_t> skin, AccessorReader& accessors,
               Character& character, std::vector<Defect>& repairs) {
  for (const Primitive& primitive : mesh.primitives) {
    if (!primitive.has_positions) continue;
    const bool skinned = skin && primitive.influences_per_vertex > 0;
    spend_part(primitive, skinned, accessors);
    Part part = primitive.part;
    part.joint = joint;
    part.target_names = mesh.target_names;
    if (skin) part.node_skin = static_cast<int>(*skin);
    if (skinned) {
      part.skin = part.node_skin;
      part.influences = resolve_influences(primitive, character.skins[*skin], character.file, repairs);
    } else if (skin) {
      repairs.push_back({"island without skin",
                         part.name,
                         "",
                         {},
                         "The part has no joints and weights; it moves rigidly with its node."});
    }
    character.parts.push_back(std::move(part));
  }
}

}  // namespace

void read_parts(const JsonView& root, AccessorReader& accessors, Character& character, std::vector<Defect>& repairs) {
  std::vector<Mesh> meshes;
  for (const JsonView& view : root.elements("meshes"))
    meshes.push_back(read_mesh(view, static_cast<int>(meshes.size()), root, accessors, repairs));

  const ShownScene scene = shown_scene(root, character.skeleton);
  if (scene.is_another)
    repairs.push_back({"character in another scene",
                       "scene " + std::to_string(scene.scene),
                       "",
                       {},
                       "No skinned mesh is in the scene that viewers show; that of this scene is the character."});
  const std::vector<JsonView> nodes = root.elements("nodes");
  std::vector<int> hidden;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto mesh = nodes[n].index("mesh", meshes.size(), "mesh");
    const auto skin = nodes[n].index("skin", character.skins.size(), "skin");
    if (!mesh) continue;
    accessors.spend(meshes[*mesh].targets);
    character.skeleton.joints[n].rest_weights =
        read_weights(nodes[n], meshes[*mesh].targets).value_or(meshes[*mesh].weights);
    if (scene.nodes[n])
      show_mesh(meshes[*mesh], static_cast<int>(n), skin, accessors, character, repairs);
    else
      hidden.push_back(static_cast<int>(n));
  }
  if (!hidden.empty())
    repairs.push_back({"mesh outside the scene", "", "joint", std::move(hidden),
                       "The nodes are not in the scene that is looked at; their meshes pass through untouched."});
}

}  // namespace sinew
