// The clip that a user names.
#pragma once

#include <span>
#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Index of the character's clip of this name; for an empty name that of the first, or -1 where there are no clips.
// Where no clip has just this name, the only one that has it in other case, or else the only one that ends in it behind
// '|', ':' or '/' ("Walk" finds "AnimalArmature|walk"), or else the clip of this number, counted from 1 ("2", "#2").
// Throws usage_error where there is none, or several.
int choose_clip(const Character& character, const std::string& name);

// This chooses likewise among names of clips that are in `file`.
int choose_clip(std::span<const std::string> names, const std::string& file, const std::string& name);

// The clip that a user gave for --clip. Throws usage_error where that is an empty word, which would stand for the first
// clip.
std::string asked_clip(const std::string& name);

// The names of its clips for a sentence: "walk, run", at most twenty.
std::string clip_names(const Character& character);

// The same without one of them; empty where there is no other.
std::string clip_names_but(const Character& character, int left_out);

}  // namespace sinew
