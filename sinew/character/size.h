// How long a file's unit is. glTF says one metre; files often mean something else, and flesh that is
// simulated at the wrong size moves wrongly (docs/reading_characters.md).
#pragma once

#include <optional>
#include <string>

#include "sinew/character/character.h"

namespace sinew {

struct SizeDecision {
  double metres_per_unit = 1;
  double height_in_units = 0;  // file units; extent along world +Y of all surfaces in the default pose
  std::string sentence;        // what was decided and why, for people

  double height() const { return height_in_units * metres_per_unit; }  // metres, as the sentence tells it
};

// Decides Character::metres_per_unit (the caller stores it). `height` is the character's height in
// metres, `unit` the length of a file unit in metres; where both are given, usage_error.
SizeDecision decide_size(const Character& character, std::optional<double> height, std::optional<double> unit);

// "m", "cm", "mm", "in", "ft" or a positive number, in metres. Throws usage_error otherwise.
double parse_unit(const std::string& text);

}  // namespace sinew
