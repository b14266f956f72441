// Files that show the anatomy of a character: a picture, and a list for people (docs/anatomy.md).
#pragma once

#include <string>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/files/png.h"

namespace sinew {

// The rest surface from the front, the side and the back, with flesh, skulls, rigid things and thin shells in different
// colours.
Image anatomy_picture(const SimulationSurface& surface, const Anatomy& anatomy);

// The body plan, and one line with the evidence for each bone that is not flesh, each rigid thing, thin shell and
// accessory.
std::string anatomy_text(const Character& character, const SimulationSurface& surface, const Anatomy& anatomy);

// One line about what the names of bones changed, compared with the anatomy found without them.
std::string anatomy_changes(const SimulationSurface& surface, const Anatomy& named, const Anatomy& nameless);

}  // namespace sinew
