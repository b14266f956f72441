// Reads nodes, scenes and skins of a glTF document as a Skeleton and its Skins.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// Joint i is node i. Morph weights are left empty, because only read_parts() knows how many targets a node has. Throws
// if the node graph is not a forest, or is more than 10,000 levels deep.
Skeleton read_skeleton(const JsonView& root, std::vector<Defect>& repairs);

// The scene that is used: the one that viewers show (`scene`, otherwise the first), or the first scene with a skinned
// mesh if that one has none.
struct ShownScene {
  std::size_t scene = 0;    // index in the file
  std::vector<bool> nodes;  // per node: whether it is in the scene; all are if the file has no scenes
  bool is_another = false;  // not the scene that viewers show
};
ShownScene shown_scene(const JsonView& root, const Skeleton& skeleton);

// Skin i is skin i of the file.
std::vector<Skin> read_skins(const JsonView& root, AccessorReader& accessors);

}  // namespace sinew
