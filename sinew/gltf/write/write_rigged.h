// A mesh that got joints and weights in memory (rigging/rig_mesh.h) as glTF: the file as it came, and a rig.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document as it is but for nodes of the joints from `first_joint` of the skeleton on, which the file does
// not have, in its scene; the skins of `character`, and of its bound primitives JOINTS_0 and WEIGHTS_0. Several topmost
// joints get a node above them, since a skin's joints hang together. `character` must have been read from `document`.
// Bound primitives lose their Draco compression. Returns the bytes of all files. Throws what check_gltf_output() and
// writing throw.
std::size_t write_rigged(const GltfDocument& document, const Character& character, int first_joint,
                         const std::filesystem::path& out);

}  // namespace sinew
