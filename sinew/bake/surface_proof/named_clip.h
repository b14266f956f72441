// Clips of the characters of experiments.
#pragma once

#include <string>

#include "sinew/base/error.h"
#include "sinew/character/character.h"

namespace sinew {

// Index of the clip; the first where `wanted` is empty. Throws input_error where there is none such.
inline int named_clip(const Character& character, const std::string& name, const std::string& wanted) {
  for (std::size_t c = 0; c < character.clips.size(); ++c)
    if (wanted.empty() || character.clips[c].name == wanted) return static_cast<int>(c);
  throw input_error(name + ": it has no clip" + (wanted.empty() ? "" : " '" + wanted + "'") +
                    "; give a character that moves.");
}

}  // namespace sinew
