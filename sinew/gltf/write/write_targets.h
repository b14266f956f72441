// Morph targets appended to the meshes of a glTF document.
#pragma once

#include <cstddef>
#include <set>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/character/character.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Gives each mesh that several nodes show, and that changes on one of them, a copy per node, so that targets, weights
// and skins are the node's own. A node whose mesh does not change keeps it as it is.
void separate_shared_meshes(GltfEdit& edit, const std::set<std::size_t>& changed_nodes);

// Number of morph targets that every primitive of the mesh has: those with fewer get empty ones.
std::size_t equalize_targets(GltfEdit& edit, std::size_t mesh);

// Appends the targets to every primitive of the mesh on the node `morphs.joint`, after the existing
// ones; primitives that were not recorded get empty ones, since all primitives of a mesh share its
// weights. Names and default weights (zero) of mesh and node follow. Primitives must not be compressed.
void append_targets(GltfEdit& edit, const Character& character, const MeshMorphs& morphs);

}  // namespace sinew
