// Writes a mesh that got joints and weights in memory (rigging/rig_mesh.h) as glTF: the original file with a rig.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document with new nodes for the joints from `first_joint` on, with the skins of `character`, and with
// JOINTS_0 and WEIGHTS_0 on its bound primitives. Several topmost joints get a common parent node, since joints of a
// skin must be connected. `character` must have been read from `document`. Bound primitives lose their Draco
// compression. Returns the total number of bytes. Throws what check_gltf_output() and writing throw.
std::size_t write_rigged(const GltfDocument& document, const Character& character, int first_joint,
                         const std::filesystem::path& out);

}  // namespace sinew
