// What a file of `sinew anatomy` says of a character.
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Whether the setting (FleshSettings::anatomy) names a file, and not a way to find anatomy.
bool names_anatomy_file(const std::string& anatomy);

// Gives the character the anatomy that the file says, where the setting names one. Throws input_error.
void adopt_anatomy(Character& character, const std::string& anatomy);

}  // namespace sinew
