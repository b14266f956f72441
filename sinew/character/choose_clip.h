// Finds a clip by the name that a user gives.
#pragma once

#include <span>
#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Index of the clip with this name; for an empty name the first, or -1 if there are no clips. Without an exact match it
// tries, in order, a unique match that ignores case, a unique match behind '|', ':' or '/' ("Walk" finds
// "AnimalArmature|walk"), and the clip's number from 1 ("2", "#2"). Throws usage_error for none or several matches.
int choose_clip(const Character& character, const std::string& name);

// Chooses in the same way among names of clips; `file` is for messages.
int choose_clip(std::span<const std::string> names, const std::string& file, const std::string& name);

// Checks a value of --clip and returns it. Throws usage_error if it is empty, which would mean the first clip.
std::string checked_clip(const std::string& name);

// Names of the character's clips for a sentence: "walk, run", at most twenty.
std::string clip_names(const Character& character);

}  // namespace sinew
