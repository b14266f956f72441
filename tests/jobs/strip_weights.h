// Files without skin weights, made of files that have some.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/gltf/document.h"
#include "tests/contract/glb.h"

namespace sinew::test {

enum class Stripped {
  weights,  // nodes still name their skin
  nodes,    // the skin is there, but no node names it
  skins,    // nothing but a hierarchy of nodes
};

// `source` must be a .glb with one buffer.
inline void strip_skin_weights(const std::filesystem::path& source, const std::filesystem::path& target,
                               Stripped what) {
  const GltfDocument document = read_gltf_document(source);
  nlohmann::json json = *document.json;
  for (nlohmann::json& mesh : json["meshes"])
    for (nlohmann::json& primitive : mesh["primitives"])
      for (const char* name : {"JOINTS_0", "WEIGHTS_0"}) primitive["attributes"].erase(name);
  if (what != Stripped::weights)
    for (nlohmann::json& node : json["nodes"]) node.erase("skin");
  if (what == Stripped::skins) json.erase("skins");
  const auto bytes = document.buffers.at(0);
  write_glb(target, json, {bytes.begin(), bytes.end()});
}

}  // namespace sinew::test
