// Builds small glTF documents in memory for the tests of the reader.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew::test {

template <class T>
constexpr int component_code() {
  if (std::is_same_v<T, std::int8_t>) return 5120;
  if (std::is_same_v<T, std::uint8_t>) return 5121;
  if (std::is_same_v<T, std::int16_t>) return 5122;
  if (std::is_same_v<T, std::uint16_t>) return 5123;
  if (std::is_same_v<T, std::uint32_t>) return 5125;
  return 5126;
}

inline std::size_t components_of(const std::string& type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "MAT4") return 16;
  return 4;
}

struct GltfBuilder {
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}, {"buffers", {{{"byteLength", 0}}}}};
  std::vector<std::byte> binary;

  // A buffer view with these bytes; returns its index.
  int view(const void* data, std::size_t size) {
    while (binary.size() % 4 != 0) binary.push_back(std::byte{0});
    const std::size_t offset = binary.size();
    const auto* begin = static_cast<const std::byte*>(data);
    binary.insert(binary.end(), begin, begin + size);
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", size}});
    return static_cast<int>(json["bufferViews"].size()) - 1;
  }

  // A tightly packed accessor of its own buffer view; returns its index.
  template <class T>
  int accessor(const std::vector<T>& values, const std::string& type, bool normalized = false) {
    nlohmann::json entry = {{"bufferView", view(values.data(), values.size() * sizeof(T))},
                            {"componentType", component_code<T>()},
                            {"count", values.size() / components_of(type)},
                            {"type", type}};
    if (normalized) entry["normalized"] = true;
    json["accessors"].push_back(entry);
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  // A primitive of a mesh without a skin.
  nlohmann::json primitive_of(const TriangleMesh& mesh) {
    std::vector<float> positions;
    std::vector<std::uint16_t> indices;
    for (const Vec3& x : mesh.positions)
      for (std::size_t k = 0; k < 3; ++k) positions.push_back(static_cast<float>(x[k]));
    for (const Triangle& t : mesh.triangles)
      for (const int v : t) indices.push_back(static_cast<std::uint16_t>(v));
    return {{"attributes", {{"POSITION", accessor(positions, "VEC3")}}}, {"indices", accessor(indices, "SCALAR")}};
  }

  // A scene with one node that shows one mesh of one primitive.
  void show(const nlohmann::json& primitive) {
    json["meshes"] = {{{"name", "mesh"}, {"primitives", nlohmann::json::array({primitive})}}};
    json["nodes"].push_back({{"mesh", 0}});
    json["scenes"] = {{{"nodes", {static_cast<int>(json["nodes"].size()) - 1}}}};
  }

  std::vector<std::byte> glb() const {
    nlohmann::json complete = json;
    if (binary.empty())
      complete.erase("buffers");
    else
      complete["buffers"][0]["byteLength"] = binary.size();
    return pack(complete.dump(), binary);
  }

  GltfDocument document() const { return parse_gltf_document(glb(), "test.glb", ExternalFiles::forbidden); }
  Character character(std::vector<Defect>* repairs = nullptr) const { return character_from(document(), repairs); }

  static void append_word(std::vector<std::byte>& bytes, std::size_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(word >> shift & 0xffu));
  }
  static std::vector<std::byte> pack(std::string text, std::vector<std::byte> data) {
    while (text.size() % 4 != 0) text.push_back(' ');
    while (data.size() % 4 != 0) data.push_back(std::byte{0});
    std::vector<std::byte> glb;
    append_word(glb, 0x46546C67);
    append_word(glb, 2);
    append_word(glb, 12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size()));
    append_word(glb, text.size());
    append_word(glb, 0x4E4F534A);
    const auto* characters = reinterpret_cast<const std::byte*>(text.data());
    glb.insert(glb.end(), characters, characters + text.size());
    if (data.empty()) return glb;
    append_word(glb, data.size());
    append_word(glb, 0x004E4942);
    glb.insert(glb.end(), data.begin(), data.end());
    return glb;
  }
};

// The sentence with which `action` refuses its input; fails the test where it does not.
inline std::string read_refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "the input was accepted";
  return {};
}

inline std::string read_refusal(const GltfBuilder& builder) {
  return read_refusal([&] { builder.character(); });
}

inline bool names(const std::vector<Defect>& defects, const std::string& name, const std::vector<int>& elements) {
  for (const Defect& defect : defects)
    if (defect.name == name && defect.elements == elements) return true;
  return false;
}

}  // namespace sinew::test
