#include "sinew/gltf/write/write_targets.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/output/morph_normals.h"
#include "sinew/gltf/read/read_primitive.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

std::size_t target_count(const Json& primitive) {
  return primitive.contains("targets") ? primitive["targets"].size() : 0;
}

std::size_t vertex_count(GltfEdit& edit, const Json& primitive) {
  return edit.json()["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()]["count"].get<std::size_t>();
}

// Types of all attributes that some target of the primitive moves. Viewers expect all targets of a primitive to move
// the same attributes, so new targets have all of them and old ones get POSITION.
std::map<std::string, std::string> morphed_attributes(GltfEdit& edit, const Json& primitive) {
  std::map<std::string, std::string> types;
  if (!primitive.contains("targets")) return types;
  for (const Json& target : primitive["targets"])
    for (const auto& [name, accessor] : target.items())
      types[name] = edit.json()["accessors"][accessor.get<std::size_t>()]["type"].get<std::string>();
  return types;
}

Json empty_target(GltfEdit& edit, const Json& primitive, const std::map<std::string, std::string>& types) {
  Json target = Json::object();
  target["POSITION"] = edit.add_zeros(vertex_count(edit, primitive), "VEC3");
  for (const auto& [name, type] : types) target[name] = edit.add_zeros(vertex_count(edit, primitive), type);
  return target;
}

void complete_old_targets(GltfEdit& edit, Json& primitive) {
  if (!primitive.contains("targets")) return;
  for (Json& target : primitive["targets"])
    if (!target.contains("POSITION")) target["POSITION"] = edit.add_zeros(vertex_count(edit, primitive), "VEC3");
}

const PartMorphs* morphs_of(const Character& character, const MeshMorphs& morphs, std::size_t primitive) {
  for (const PartMorphs& part : morphs.parts)
    if (character.parts[static_cast<std::size_t>(part.part)].primitive == static_cast<int>(primitive)) return &part;
  return nullptr;
}

// Offsets of the tangents that the file has, where targets move normals: targets x vertices x 3; empty where none.
std::vector<float> tangents_of(const GltfDocument& document, AccessorReader& reader, const Part& part,
                               const PartMorphs& morphs) {
  if (morphs.normal.empty()) return {};
  const std::vector<Vec3> tangents = read_tangents(document, part.mesh, part.primitive, reader);
  const std::size_t numbers = 3 * part.surface.positions.size();
  if (3 * tangents.size() != numbers) return {};
  std::vector<float> all;
  for (std::size_t at = 0; at < morphs.position.size(); at += numbers) {
    const std::vector<float> offsets = tangent_offsets(part, tangents, std::span(morphs.position).subspan(at, numbers),
                                                       std::span(morphs.normal).subspan(at, numbers));
    all.insert(all.end(), offsets.begin(), offsets.end());
  }
  return all;
}

void append_to_primitive(GltfEdit& edit, Json& primitive, const PartMorphs* part, const std::vector<float>& tangents,
                         int targets) {
  const std::size_t vertices = vertex_count(edit, primitive);
  std::map<std::string, std::string> types = morphed_attributes(edit, primitive);
  std::map<std::string, const std::vector<float>*> directions;
  if (part && !part->normal.empty()) directions["NORMAL"] = &part->normal;
  if (!tangents.empty()) directions["TANGENT"] = &tangents;
  for (const auto& [name, values] : directions) {
    types[name] = "VEC3";
    for (std::size_t i = 0; i < target_count(primitive); ++i)
      if (Json& target = primitive["targets"][i]; !target.contains(name))
        target[name] = edit.add_zeros(vertices, "VEC3");
  }
  complete_old_targets(edit, primitive);
  for (std::size_t k = 0; k < static_cast<std::size_t>(targets); ++k) {
    Json target = empty_target(edit, primitive, types);
    const auto shape = [&](const std::vector<float>& values) {
      return std::span(values).subspan(k * vertices * 3, vertices * 3);
    };
    if (part) target["POSITION"] = edit.add_vectors(shape(part->position), true);
    for (const auto& [name, values] : directions) target[name] = edit.add_vectors(shape(*values), false);
    array_of(primitive, "targets").push_back(std::move(target));
  }
}

// Without names of their own: "sinew_0", "sinew_1", ...; numbers continue if the file has been through Sinew before.
void append_names(Json& names, std::size_t existing, const MeshMorphs& morphs) {
  std::set<std::string> taken;
  for (const Json& name : names)
    if (name.is_string()) taken.insert(name.get<std::string>());
  for (std::size_t i = names.size(); i < existing; ++i) names.push_back("target_" + std::to_string(i));
  for (const std::string& name : morphs.names) names.push_back(name);
  int targets = morphs.names.empty() ? morphs.targets : 0;
  for (int number = 0; targets > 0; ++number) {
    const std::string name = "sinew_" + std::to_string(number);
    if (taken.contains(name)) continue;
    names.push_back(name);
    --targets;
  }
}

void name_targets(Json& mesh, std::size_t existing, const MeshMorphs& morphs) {
  // Some exporters name targets on the primitives instead, or as well.
  for (Json& primitive : mesh["primitives"])
    if (primitive.contains("extras") && primitive["extras"].is_object() &&
        primitive["extras"].contains("targetNames") && primitive["extras"]["targetNames"].is_array())
      append_names(primitive["extras"]["targetNames"], existing, morphs);
  if (!mesh.contains("extras")) mesh["extras"] = Json::object();
  if (!mesh["extras"].is_object()) return;
  Json& names = array_of(mesh["extras"], "targetNames");
  if (names.is_array()) append_names(names, existing, morphs);
}

void append_weights(Json& holder, std::size_t existing, int targets) {
  Json& weights = array_of(holder, "weights");
  weights.get_ref<Json::array_t&>().resize(existing + static_cast<std::size_t>(targets), Json(0.0));
}

}  // namespace

void separate_shared_meshes(GltfEdit& edit, const std::set<std::size_t>& changed) {
  std::map<std::size_t, std::vector<std::size_t>> nodes_of;
  Json& nodes = edit.json()["nodes"];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].contains("mesh")) nodes_of[nodes[i]["mesh"].get<std::size_t>()].push_back(i);
  for (const auto& [mesh, users] : nodes_of) {
    const bool all_change =
        std::all_of(users.begin(), users.end(), [&](std::size_t node) { return changed.contains(node); });
    for (std::size_t i = all_change ? 1 : 0; i < users.size(); ++i) {
      if (!changed.contains(users[i])) continue;
      Json& meshes = edit.json()["meshes"];
      meshes.push_back(Json(meshes[mesh]));
      nodes[users[i]]["mesh"] = meshes.size() - 1;
    }
  }
}

std::size_t equalize_targets(GltfEdit& edit, std::size_t mesh) {
  Json& primitives = edit.json()["meshes"][mesh]["primitives"];
  std::size_t most = 0;
  for (const Json& primitive : primitives) most = std::max(most, target_count(primitive));
  for (Json& primitive : primitives)
    while (target_count(primitive) < most)
      array_of(primitive, "targets").push_back(empty_target(edit, primitive, morphed_attributes(edit, primitive)));
  return most;
}

void append_targets(GltfEdit& edit, AccessorReader& reader, const Character& character, const MeshMorphs& morphs) {
  Json& node = edit.json()["nodes"][static_cast<std::size_t>(morphs.joint)];
  const auto mesh_index = node["mesh"].get<std::size_t>();
  const std::size_t existing = equalize_targets(edit, mesh_index);
  Json& mesh = edit.json()["meshes"][mesh_index];
  for (std::size_t i = 0; i < mesh["primitives"].size(); ++i) {
    const PartMorphs* part = morphs_of(character, morphs, i);
    const std::vector<float> tangents =
        part ? tangents_of(edit.document(), reader, character.parts[static_cast<std::size_t>(part->part)], *part)
             : std::vector<float>{};
    append_to_primitive(edit, mesh["primitives"][i], part, tangents, morphs.targets);
  }
  name_targets(mesh, existing, morphs);
  append_weights(mesh, existing, morphs.targets);
  if (node.contains("weights")) append_weights(node, existing, morphs.targets);
}

}  // namespace sinew
