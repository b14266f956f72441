#include "sinew/gltf/write/write_skins.h"
#include "sinew/base/index.h"
#include "sinew/character/bind_parts.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace sinew {
namespace {

using Json = nlohmann::json;

const Json& primitive_of(const Json& document, std::size_t node, int primitive) {
  const auto mesh = document["nodes"][node]["mesh"].get<std::size_t>();
  return document["meshes"][mesh]["primitives"][index(primitive)];
}

bool is_newly_bound(const Json& document, const Character& character, const Part& part) {
  return part.skin >= 0 && !part.influences.empty() &&
         !primitive_of(document, index(part.joint), part.primitive)["attributes"].contains("JOINTS_0") &&
         !moves_as_its_node(character, part);
}

void append_column(std::vector<float>& values, const Vec3& column, float last) {
  values.insert(values.end(),
                {static_cast<float>(column.x), static_cast<float>(column.y), static_cast<float>(column.z), last});
}

void append_skin(GltfEdit& edit, const Skin& skin) {
  std::vector<float> matrices;
  for (const Affine& matrix : skin.inverse_bind) {
    for (std::size_t k = 0; k < 3; ++k) append_column(matrices, matrix.linear.column(k), 0);
    append_column(matrices, matrix.translation, 1);
  }
  const std::size_t accessor = edit.add_elements(std::as_bytes(std::span(matrices)), 5126, "MAT4", skin.joints.size());
  array_of(edit.json(), "skins")
      .push_back(Json{{"name", skin.name}, {"joints", skin.joints}, {"inverseBindMatrices", accessor}});
}

template <class Number>
std::size_t add_joints(GltfEdit& edit, const std::vector<Influences>& influences, int component_type) {
  std::vector<Number> joints;
  for (const Influences& vertex : influences)
    for (std::size_t k = 0; k < 4; ++k)
      joints.push_back(static_cast<int>(k) < vertex.count ? static_cast<Number>(vertex.joint[k]) : Number{0});
  return edit.add_attribute(std::as_bytes(std::span(joints)), component_type, "VEC4", influences.size(),
                            4 * sizeof(Number));
}

std::size_t add_weights(GltfEdit& edit, const std::vector<Influences>& influences) {
  std::vector<float> weights;
  for (const Influences& vertex : influences)
    for (std::size_t k = 0; k < 4; ++k)
      weights.push_back(static_cast<int>(k) < vertex.count ? static_cast<float>(vertex.weight[k]) : 0.0F);
  return edit.add_attribute(std::as_bytes(std::span(weights)), 5126, "VEC4", influences.size(), 16);
}

}  // namespace

std::set<std::size_t> newly_bound_nodes(const GltfDocument& document, const Character& character) {
  std::set<std::size_t> nodes;
  for (const Part& part : character.parts)
    if (is_newly_bound(*document.json, character, part)) nodes.insert(index(part.joint));
  return nodes;
}

void write_new_skins(GltfEdit& edit, const Character& character) {
  const Json& before = *edit.document().json;
  const std::size_t existing = before.contains("skins") ? before["skins"].size() : 0;
  std::size_t added = 0;
  std::map<int, int> number;  // index in the file of each skin that is added
  for (const Part& part : character.parts) {
    if (!is_newly_bound(before, character, part)) continue;
    const auto [skin, is_new] = number.try_emplace(part.skin, part.skin);
    if (is_new && index(part.skin) >= existing) {
      skin->second = static_cast<int>(existing + added++);
      append_skin(edit, character.skins[index(part.skin)]);
    }
    const std::size_t joints = character.skins[index(part.skin)].joints.size();
    const std::size_t joint_accessor = joints <= 256 ? add_joints<std::uint8_t>(edit, part.influences, 5121)
                                                     : add_joints<std::uint16_t>(edit, part.influences, 5123);
    const std::size_t weight_accessor = add_weights(edit, part.influences);
    Json& node = edit.json()["nodes"][index(part.joint)];
    node["skin"] = skin->second;
    Json& primitive = edit.json()["meshes"][node["mesh"].get<std::size_t>()]["primitives"][index(part.primitive)];
    primitive["attributes"]["JOINTS_0"] = joint_accessor;
    primitive["attributes"]["WEIGHTS_0"] = weight_accessor;
  }
}

}  // namespace sinew
