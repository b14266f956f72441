#include "sinew/gltf/write/write_paint.h"

#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>
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

std::vector<std::pair<const char*, const std::vector<double>*>> paint_of(const Part& part) {
  return {{"_SINEW_STIFFNESS", &part.stiffness}, {"_SINEW_DAMPING", &part.damping}, {"_SINEW_RIGID", &part.rigid}};
}

bool is_painted(const Part& part) { return !part.stiffness.empty() || !part.damping.empty() || !part.rigid.empty(); }

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
    for (const auto& [name, painted] : paint_of(part)) {
      if (painted->empty()) continue;
      const std::vector<float> values(painted->begin(), painted->end());
      const std::size_t accessor =
          edit.add_attribute(std::as_bytes(std::span(values)), 5126, "SCALAR", values.size(), sizeof(float));
      edit.json()["meshes"][mesh]["primitives"][index(part.primitive)]["attributes"][name] = accessor;
    }
  }
  write_gltf_files(edit, out);
}

}  // namespace sinew
