// The anatomy of a character as files: a picture of it and a list that people read (docs/anatomy.md).
#pragma once

#include <string>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/files/png.h"

namespace sinew {

// The rest surface from the front, the side and the back: flesh, skulls, rigid things and sheets, each in its colour.
Image anatomy_picture(const SimulationSurface& surface, const Anatomy& anatomy);

// The kind, and a line for each bone that is not flesh, each rigid thing, sheet and accessory, with the evidence.
std::string anatomy_text(const Character& character, const SimulationSurface& surface, const Anatomy& anatomy);

// A line that says what names have tipped: what is otherwise in the anatomy found without them.
std::string anatomy_changes(const SimulationSurface& surface, const Anatomy& named, const Anatomy& nameless);

}  // namespace sinew
