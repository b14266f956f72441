// Nodes, scenes and skins of a glTF document as a Skeleton and its Skins.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read_json.h"

namespace sinew {

// Joint i is node i. Morph weights are left empty: read_meshes knows how many targets a node has.
// Throws where the node graph is not a forest, or is more than 10,000 levels deep.
Skeleton read_skeleton(const JsonView& root, std::vector<Defect>& repairs);

// Whether a node is in the scene that viewers show: `scene`, else the first, else (no scenes) all.
std::vector<bool> shown_nodes(const JsonView& root, const Skeleton& skeleton);

// Skin i is skin i of the file.
std::vector<Skin> read_skins(const JsonView& root, AccessorReader& accessors);

}  // namespace sinew
