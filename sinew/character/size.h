// Length of a file's unit. glTF specifies one metre, but many files use another unit, and flesh of the wrong size moves
// wrongly (docs/reading_characters.md).
#pragma once

#include <optional>
#include <string>

#include "sinew/character/character.h"

namespace sinew {

struct SizeDecision {
  double metres_per_unit = 1;
  double height_in_units = 0;  // file units; extent along world +Y of all surfaces in the default pose
  std::string sentence;        // the decision and its reason

  double height() const { return height_in_units * metres_per_unit; }  // metres, as in the sentence
};

// Decides Character::metres_per_unit (the caller stores it). `height` is the character's height in
// metres, `unit` the length of a file unit in metres; throws usage_error if both are given.
SizeDecision decide_size(const Character& character, std::optional<double> height, std::optional<double> unit);

// "m", "cm", "mm", "in", "ft" or a positive number, in metres. Throws usage_error otherwise.
double parse_unit(const std::string& text);

}  // namespace sinew
