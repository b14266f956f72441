// Animations of a glTF document as clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

// Unique names of the animations: the name in the file, "animation 3" if it is missing or empty, and "walk (2)" if it
// was used before. Changes are noted in `repairs` unless it is null.
std::vector<std::string> clip_names(const std::vector<JsonView>& animations, std::vector<Defect>* repairs = nullptr);

// Clip i is animation i of the file. Channels that move other numbers of the file become Clip::properties, and the
// numbers Skeleton::properties; what moves no number is left out. All pass through on writing. Joint::rest_weights must
// be set: weights channels have as many components. Names are made unique (clip_names()) in the result, not in the
// file.
std::vector<Clip> read_clips(const JsonView& root, AccessorReader& accessors, Skeleton& skeleton,
                             std::vector<Defect>& repairs);

}  // namespace sinew
