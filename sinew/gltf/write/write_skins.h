// Writes skins and weights that a character got in memory (cook/mixed/bind_automatically.h) into its document.
#pragma once

#include <cstddef>
#include <set>

#include "sinew/character/character.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Nodes whose primitives lack weights in the document, have them in `character`, and need them to move.
std::set<std::size_t> newly_bound_nodes(const GltfDocument& document, const Character& character);

// Gives the primitives of those nodes JOINTS_0 and WEIGHTS_0, and the nodes their skin, appended if the document lacks
// it. Meshes must not be shared (separate_shared_meshes()) or compressed.
void write_new_skins(GltfEdit& edit, const Character& character);

}  // namespace sinew
