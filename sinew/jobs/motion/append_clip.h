// Gives an opened character a new clip.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/jobs/open_character.h"

namespace sinew {

// Appends a clip to the character and its document. Throws input_error if the clip has values that are not finite.
void append_clip(OpenedCharacter& opened, Clip clip);

// Appends the clip, and writes the character with it.
void write_with_clip(OpenedCharacter& opened, Clip clip, const std::filesystem::path& output);

// This name, or with a number behind it where the character has a clip of this name.
std::string unused_clip_name(const Character& character, const std::string& name);

}  // namespace sinew
