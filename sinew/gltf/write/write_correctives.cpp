#include "sinew/gltf/write/write_correctives.h"

#include <nlohmann/json.hpp>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_morphs.h"
#include "sinew/gltf/write/write_weights.h"

namespace sinew {

std::size_t write_gltf_with_correctives(const GltfDocument& document, const Character& character,
                                        const MorphFit& shapes, std::span<const Recording> keys,
                                        const nlohmann::json& drivers, const std::filesystem::path& out) {
  check_gltf_output(document, out);
  GltfEdit edit(document);
  AccessorReader reader(document);
  append_morphs(edit, reader, character, shapes);
  WeightsWriter weights(edit, reader, character);
  for (std::size_t i = 0; i < keys.size(); ++i) weights.write_recording(shapes, keys, i);
  weights.widen_other_animations(shapes, keys);
  for (const MeshMorphs& morphs : shapes.meshes) {
    const nlohmann::json& node = edit.json()["nodes"][static_cast<std::size_t>(morphs.joint)];
    nlohmann::json& extras = edit.json()["meshes"][node["mesh"].get<std::size_t>()]["extras"];
    if (!extras.is_object()) continue;  // append_morphs() leaves extras of other kinds
    nlohmann::json& list = array_of(extras, correctives_key);
    for (const nlohmann::json& driver : drivers) list.push_back(driver);
  }
  return write_gltf_files(edit, out);
}

}  // namespace sinew
