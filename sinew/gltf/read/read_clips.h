// Animations of a glTF document as clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// What the animations of a file are called: as the file has it, "animation 3" where it has no name or an empty one, and
// a name that came before is told apart ("walk (2)"). `repairs`, where given, says so.
std::vector<std::string> clip_names(const std::vector<JsonView>& animations, std::vector<Defect>* repairs = nullptr);

// Clip i is animation i of the file. Channels that move something else than a node's translation,
// rotation, scale or weights are left out (they pass through on writing). Joint::rest_weights must
// be there: a weights channel has as many components.
// Names are made different from each other (clip_names): the file keeps its own.
std::vector<Clip> read_clips(const JsonView& root, AccessorReader& accessors, const Skeleton& skeleton,
                             std::vector<Defect>& repairs);

}  // namespace sinew
