#include "sinew/io/write_gltf.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/io/accessor.h"
#include "sinew/io/write_gltf_container.h"
#include "sinew/io/write_gltf_draco.h"
#include "sinew/io/write_gltf_edit.h"
#include "sinew/io/write_gltf_skins.h"
#include "sinew/io/write_gltf_targets.h"
#include "sinew/io/write_gltf_weights.h"

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

FleshWriteReport report_of(const MorphFit& fit, const GltfDocument& document, const MorphFitOptions& options) {
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

}  // namespace

FleshWriteReport write_gltf_with_flesh(const GltfDocument& document, const Character& character,
                                       std::span<const Recording> recordings, const MorphFitOptions& options,
                                       const std::filesystem::path& out) {
  check_gltf_output(document, out);
  const MorphFit fit = fit_morph_targets(character, recordings, options);

  GltfEdit edit(document);
  AccessorReader reader(document);
  const std::set<std::size_t> changed = changed_nodes(document, character, fit);
  decompress_changed_primitives(edit, reader, changed);
  separate_shared_meshes(edit, changed);
  write_new_skins(edit, character);
  for (const MeshMorphs& morphs : fit.meshes)
    if (morphs.targets > 0) append_targets(edit, character, morphs);
  WeightsWriter weights(edit, reader, character);
  for (std::size_t i = 0; i < recordings.size(); ++i) weights.write_recording(fit, recordings, i);
  weights.widen_other_animations(fit, recordings);

  FleshWriteReport report = report_of(fit, document, options);
  report.bytes_added = edit.added().size();
  report.bytes = write_gltf_files(edit, out);
  return report;
}

}  // namespace sinew
