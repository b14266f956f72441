// Appends morph targets to the meshes of a glTF document.
#pragma once

#include <cstddef>
#include <set>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/character/character.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

// Gives every mesh that several nodes show, and that changes on one of them, a copy per node, so that targets, weights
// and skins belong to one node. Nodes whose mesh does not change keep the original.
void separate_shared_meshes(GltfEdit& edit, const std::set<std::size_t>& changed_nodes);

// Makes all primitives of the mesh have the same number of morph targets, by adding empty ones, and returns it.
std::size_t equalize_targets(GltfEdit& edit, std::size_t mesh);

// Appends the targets to every primitive of the mesh on the node `morphs.joint`, after the existing ones. Primitives
// that were not recorded get empty targets, since all primitives of a mesh share its weights. Updates names and default
// weights (zero) of mesh and node. Primitives must not be compressed.
// Where targets move normals, they move the tangents of the file too.
void append_targets(GltfEdit& edit, AccessorReader& reader, const Character& character, const MeshMorphs& morphs);

}  // namespace sinew
