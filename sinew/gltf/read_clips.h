// Animations of a glTF document as clips.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read_json.h"

namespace sinew {

// Clip i is animation i of the file. Channels that move something else than a node's translation,
// rotation, scale or weights are left out (they pass through on writing). Joint::rest_weights must
// be there: a weights channel has as many components.
std::vector<Clip> read_clips(const JsonView& root, AccessorReader& accessors, const Skeleton& skeleton,
                             std::vector<Defect>& repairs);

}  // namespace sinew
