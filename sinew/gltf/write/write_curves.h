// Writes the curves of rig-space physics as glTF: the original file with one new clip per simulated clip, which has
// channels for the free parameters only. Rig layers that glTF does not have (wires, lattices) become morph targets.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/write/write_gltf.h"

namespace sinew {

struct WrittenCurves {
  int source = -1;     // index into Character::clips of the keyed clip; -1: the rest pose
  Clip clip;           // new channels
  Recording layers;    // surface displacement by layers under both clips; no parts if there are no layers
  bool whole = false;  // the new clip includes its source's channels
};

// Otherwise like write_gltf_with_flesh(). Clip names that exist already get a number.
FleshWriteReport write_gltf_with_curves(const GltfDocument& document, const Character& character,
                                        std::span<const WrittenCurves> curves, const MorphFitOptions& options,
                                        const std::filesystem::path& out);

}  // namespace sinew
