// Reads the parts of a character: meshes of a glTF document on the nodes that show them.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// Fills Character::parts and Joint::rest_weights; skeleton and skins must be there. Every mesh is decoded, shown or
// not, so that broken files are found at once.
void read_parts(const JsonView& root, AccessorReader& accessors, Character& character, std::vector<Defect>& repairs);

}  // namespace sinew
