// A character with the curves of rig-space physics as glTF: the file as it came, and a clip of its own per clip that
// was run, with channels on the free parameters alone. Rigs with layers that glTF does not know (wires, lattices) get
// morph targets for what these add.
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
  int source = -1;     // index into Character::clips: what the animator keyed; -1: the rest pose
  Clip clip;           // new channels
  Recording layers;    // what layers add to the surface under both; no parts: nothing
  bool whole = false;  // the new clip has the channels of its source too
};

// The rest as write_gltf_with_flesh(). Names of clips that the file has already get a number.
FleshWriteReport write_gltf_with_curves(const GltfDocument& document, const Character& character,
                                        std::span<const WrittenCurves> curves, const MorphFitOptions& options,
                                        const std::filesystem::path& out);

}  // namespace sinew
