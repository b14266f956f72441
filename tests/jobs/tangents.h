// Characters with tangents.
#pragma once

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew::test {

// A copy of a character of one primitive with tangents across its normals.
inline std::filesystem::path with_tangents(const std::filesystem::path& character,
                                           const std::filesystem::path& folder) {
  const GltfDocument document = read_gltf_document(character);
  const std::vector<Vec3> normals = character_from(document).parts.at(0).normals;
  std::vector<float> tangents;
  for (const Vec3& n : normals) {
    const Vec3 t = normalized(cross(n, std::abs(n.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
    for (const double number : {t.x, t.y, t.z, -1.0}) tangents.push_back(static_cast<float>(number));
  }
  GltfEdit edit(document);
  edit.json()["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = edit.add_attribute(
      std::as_bytes(std::span(tangents)), static_cast<int>(ComponentType::f32), "VEC4", normals.size(), 16);
  const std::filesystem::path path = folder / "tangents.glb";
  write_gltf_files(edit, path);
  return path;
}

// Fails where a target's tangents are not across its normals, or not of unit length.
// Returns the largest offset of a tangent.
inline double check_tangents_of_targets(const std::filesystem::path& file) {
  const GltfDocument document = read_gltf_document(file);
  AccessorReader reader(document);
  const nlohmann::json& primitive = (*document.json)["meshes"][0]["primitives"][0];
  const auto read = [&](const nlohmann::json& attributes, const char* name) {
    return reader.read(attributes.at(name).get<std::size_t>());
  };
  const AccessorValues tangents = read(primitive["attributes"], "TANGENT"),
                       normals = read(primitive["attributes"], "NORMAL");
  double most = 0;
  for (const nlohmann::json& target : primitive["targets"]) {
    const AccessorValues turned = read(target, "TANGENT"), tipped = read(target, "NORMAL");
    EXPECT_EQ(turned.format.components(), 3);
    EXPECT_EQ(turned.format.count, tangents.format.count);
    for (std::size_t v = 0; v < turned.format.count; ++v) {
      Vec3 tangent, normal;
      for (std::size_t k = 0; k < 3; ++k) {
        tangent[k] = tangents.element(v)[k] + turned.element(v)[k];
        normal[k] = normals.element(v)[k] + tipped.element(v)[k];
        most = std::max(most, std::abs(turned.element(v)[k]));
      }
      EXPECT_NEAR(norm(tangent), 1, 1e-5) << v;
      EXPECT_NEAR(dot(tangent, normalized(normal)), 0, 1e-5) << v;
    }
  }
  return most;
}

}  // namespace sinew::test
