// The clip that a user names.
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Index of the character's clip of this name; for an empty name that of the first, or -1 where there are no clips.
// Throws usage_error where no clip has the name.
int choose_clip(const Character& character, const std::string& name);

// The names of its clips for a sentence: "walk, run", at most twenty.
std::string clip_names(const Character& character);

}  // namespace sinew
