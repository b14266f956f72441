// Skins and weights that a character got in memory (cook/mixed/bind_automatically.h), written into its document.
#pragma once

#include <cstddef>
#include <set>

#include "sinew/character/character.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Nodes whose primitives lack weights in the document, but have them in `character`, and need them to move as they do.
std::set<std::size_t> newly_bound_nodes(const GltfDocument& document, const Character& character);

// Gives the primitives of those nodes JOINTS_0 and WEIGHTS_0, and the nodes their skin, which is appended where the
// document lacks it. Their meshes must be their own (separate_shared_meshes), and not compressed.
void write_new_skins(GltfEdit& edit, const Character& character);

}  // namespace sinew
