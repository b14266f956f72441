// Files of `sinew anatomy`: the anatomy that was found in a character, to be corrected by hand (docs/anatomy.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

const char* name_of(Tissue tissue);

// Lists every bone that carries skin, every rigid thing, thin shell and accessory, each with its tissue and the
// evidence.
std::string anatomy_json(const Character& character, const SimulationSurface& surface, const Anatomy& anatomy);

// Parses such a text. Throws input_error that names file and place.
AnatomyOverrides anatomy_from_json(std::string_view text, const std::string& file);
AnatomyOverrides read_anatomy(const std::filesystem::path& file);

}  // namespace sinew
