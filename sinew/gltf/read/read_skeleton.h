// Nodes, scenes and skins of a glTF document as a Skeleton and its Skins.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// Joint i is node i. Morph weights are left empty: read_meshes knows how many targets a node has.
// Throws where the node graph is not a forest, or is more than 10,000 levels deep.
Skeleton read_skeleton(const JsonView& root, std::vector<Defect>& repairs);

// The scene that counts: the one that viewers show (`scene`, else the first), or where no skinned mesh is in that, the
// first that has one.
struct ShownScene {
  std::size_t scene = 0;    // index in the file
  std::vector<bool> nodes;  // whether a node is in it; all are where the file has no scenes
  bool is_another = false;  // not the one that viewers show
};
ShownScene shown_scene(const JsonView& root, const Skeleton& skeleton);

// Skin i is skin i of the file.
std::vector<Skin> read_skins(const JsonView& root, AccessorReader& accessors);

}  // namespace sinew
