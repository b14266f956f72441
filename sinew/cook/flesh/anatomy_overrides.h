// The anatomy that a file of `sinew anatomy` describes for a character.
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// True if the setting (FleshSettings::anatomy) is the name of a file and not one of the built-in values.
bool names_anatomy_file(const std::string& anatomy);

// Gives the character the anatomy of the file, if the setting names one. Throws input_error.
void adopt_anatomy(Character& character, const std::string& anatomy);

}  // namespace sinew
