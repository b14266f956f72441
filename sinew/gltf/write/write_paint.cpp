#include "sinew/gltf/write/write_paint.h"

#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_draco.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_targets.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

bool is_painted(const Part& part) { return !names_of_painted(part.fields).empty(); }

}  // namespace

void write_painted(const GltfDocument& document, const Character& character, const std::filesystem::path& out) {
  check_gltf_output(document, out);
  GltfEdit edit(document);
  AccessorReader reader(document);
  std::set<std::size_t> nodes;
  for (const Part& part : character.parts)
    if (is_painted(part)) nodes.insert(index(part.joint));
  DracoRemover draco(edit, reader);
  for (const std::size_t node : nodes) {
    const auto mesh = edit.json()["nodes"][node]["mesh"].get<std::size_t>();
    for (std::size_t p = 0; p < edit.json()["meshes"][mesh]["primitives"].size(); ++p) draco.remove(mesh, p);
  }
  draco.finish();
  separate_shared_meshes(edit, nodes);
  for (const Part& part : character.parts) {
    if (!is_painted(part)) continue;
    const auto mesh = edit.json()["nodes"][index(part.joint)]["mesh"].get<std::size_t>();
    for (std::size_t f = 0; f < part.fields.size(); ++f) {
      if (part.fields[f].empty()) continue;
      const std::vector<float> values(part.fields[f].begin(), part.fields[f].end());
      const std::size_t accessor =
          edit.add_attribute(std::as_bytes(std::span(values)), 5126, "SCALAR", values.size(), sizeof(float));
      edit.json()["meshes"][mesh]["primitives"][index(part.primitive)]["attributes"][painted_fields[f].attribute] =
          accessor;
    }
  }
  write_gltf_files(edit, out);
}

}  // namespace sinew
