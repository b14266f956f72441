// Writes a character with flesh as glTF that every viewer plays (docs/gltf_output.md): the original file with K more
// morph targets on each simulated primitive, and their weights in the recorded animation. Characters that were bound in
// memory get their skins and skin weights too.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/bake/recording.h"
#include "sinew/bake/run_report.h"
#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

struct FleshWriteReport {
  double height = 0;                    // metres
  std::vector<MorphFitReport> meshes;   // one per mesh and node that got targets
  double rms_error = 0, max_error = 0;  // metres, world, over all frames and vertices
  std::size_t bytes = 0;                // of all files written
  std::size_t bytes_added = 0;          // for targets, weights and decompressed primitives
  std::vector<std::string> warnings;    // sentences
};

// Writes .glb, .vrm (both binary, as is "-", standard output) or .gltf with a .bin beside it, by the ending of `out`.
// `character` must have been read from `document`, and `recordings` made from it.
//
// All other content is written unchanged, except: all buffers are joined; image files are packed into a .glb, or into a
// .gltf from whose folder their names would climb; names of other image files are made relative to `out`; simulated
// primitives lose their Draco compression.
//
// Throws usage_error if `out` has another ending, is the input itself or cannot be written.
FleshWriteReport write_gltf_with_flesh(const GltfDocument& document, const Character& character,
                                       std::span<const Recording> recordings, const MorphFitOptions& options,
                                       const std::filesystem::path& out);

}  // namespace sinew
