#include "sinew/gltf/write/write_morphs.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/gltf/write/write_draco.h"
#include "sinew/gltf/write/write_skins.h"
#include "sinew/gltf/write/write_targets.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

std::string name_of(const Json& object, const char* kind, int index) {
  const std::string name = object.value("name", "");
  return name.empty() ? std::string(kind) + " " + std::to_string(index) : name;
}

// Nodes whose primitives get morph targets or skin weights.
std::set<std::size_t> changed_nodes(const GltfDocument& document, const Character& character, const MorphFit& fit) {
  std::set<std::size_t> nodes = newly_bound_nodes(document, character);
  for (const MeshMorphs& morphs : fit.meshes)
    if (morphs.targets > 0) nodes.insert(static_cast<std::size_t>(morphs.joint));
  return nodes;
}

void decompress_changed_primitives(GltfEdit& edit, AccessorReader& reader, const std::set<std::size_t>& nodes) {
  DracoRemover draco(edit, reader);
  for (const std::size_t node : nodes) {
    const auto mesh = edit.json()["nodes"][node]["mesh"].get<std::size_t>();
    for (std::size_t i = 0; i < edit.json()["meshes"][mesh]["primitives"].size(); ++i) draco.remove(mesh, i);
  }
  draco.finish();
}

}  // namespace

void append_morphs(GltfEdit& edit, AccessorReader& reader, const Character& character, const MorphFit& fit) {
  const std::set<std::size_t> changed = changed_nodes(edit.document(), character, fit);
  decompress_changed_primitives(edit, reader, changed);
  separate_shared_meshes(edit, changed);
  write_new_skins(edit, character);
  for (const MeshMorphs& morphs : fit.meshes)
    if (morphs.targets > 0) append_targets(edit, reader, character, morphs);
}

FleshWriteReport morph_report(const MorphFit& fit, const GltfDocument& document, const MorphFitOptions& options) {
  FleshWriteReport report;
  report.height = fit.height;
  report.rms_error = fit.rms_error;
  report.max_error = fit.max_error;
  for (const MeshMorphs& morphs : fit.meshes) {
    if (morphs.targets == 0) continue;
    const Json& mesh = (*document.json)["meshes"][static_cast<std::size_t>(morphs.mesh)];
    const Json& node = (*document.json)["nodes"][static_cast<std::size_t>(morphs.joint)];
    report.meshes.push_back({name_of(mesh, "mesh", morphs.mesh), name_of(node, "node", morphs.joint), morphs.targets,
                             morphs.rms_error, morphs.max_error});
    if (options.targets > 0 || morphs.rms_error <= options.rms_error * fit.height) continue;
    char errors[64];
    std::snprintf(errors, sizeof errors, "%.2g %% of the height (RMS) and up to %.2g %%",
                  100 * morphs.rms_error / fit.height, 100 * morphs.max_error / fit.height);
    report.warnings.push_back(report.meshes.back().mesh + ": " + std::to_string(morphs.targets) +
                              " morph targets leave an error of " + errors +
                              ", more than was asked for; a point cache has none.");
  }
  return report;
}

}  // namespace sinew
