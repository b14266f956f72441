#include "sinew/gltf/write/write_gltf.h"

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_accessories.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_morphs.h"
#include "sinew/gltf/write/write_weights.h"

namespace sinew {

FleshWriteReport write_gltf_with_flesh(const GltfDocument& document, const Character& character,
                                       std::span<const Recording> recordings, const MorphFitOptions& options,
                                       const std::filesystem::path& out) {
  check_gltf_output(document, out);
  const MorphFit fit = fit_morph_targets(character, recordings, options);

  GltfEdit edit(document);
  AccessorReader reader(document);
  append_morphs(edit, reader, character, fit);
  WeightsWriter weights(edit, reader, character);
  for (std::size_t i = 0; i < recordings.size(); ++i) weights.write_recording(fit, recordings, i);
  weights.widen_other_animations(fit, recordings);

  FleshWriteReport report = morph_report(fit, document, options);
  // Accessories on flesh that does not move visibly stay as they are.
  if (!report.meshes.empty()) write_accessories(edit, character, recordings, weights);
  report.bytes_added = edit.added().size();
  report.bytes = write_gltf_files(edit, out);
  return report;
}

}  // namespace sinew
