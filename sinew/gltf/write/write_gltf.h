// A character with flesh as glTF that every viewer plays (docs/gltf_output.md): the file as it came,
// with K morph targets more on each simulated primitive and their weights in the animation that was
// recorded. Characters that were bound in memory get their skins and skin weights too.
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
  std::size_t bytes_added = 0;          // of them for targets, weights and decompressed primitives
  std::vector<std::string> warnings;    // sentences
};

// Writes .glb, .vrm (both binary; so is "-", standard output) or .gltf with a .bin beside it, by the ending of `out`.
// `character` must have been read from `document`, and `recordings` been made of it.
//
// Everything else of the document is written as it is, with these exceptions: all buffers become one,
// and so do image files that a .glb can take up, and those of a .gltf in a folder from which their names would
// climb; names of images that stay outside are rewritten for the place of `out`; simulated primitives lose their Draco
// compression, which cannot carry targets.
//
// Throws usage_error where `out` has another ending, is the input itself or cannot be written.
FleshWriteReport write_gltf_with_flesh(const GltfDocument& document, const Character& character,
                                       std::span<const Recording> recordings, const MorphFitOptions& options,
                                       const std::filesystem::path& out);

}  // namespace sinew
