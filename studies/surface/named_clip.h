// Selection of a character's clip for experiments.
#pragma once

#include <string>

#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"

namespace sinew {

// Index of the clip `wanted`; the first one where it is empty. Throws as choose_clip() does, and input_error where
// there are no clips.
inline int named_clip(const Character& character, const std::string& name, const std::string& wanted) {
  if (character.clips.empty()) throw input_error(name + ": it has no clip; give a character that moves.");
  return choose_clip(character, wanted);
}

}  // namespace sinew
