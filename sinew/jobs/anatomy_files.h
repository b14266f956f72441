// The anatomy of a character as files: a picture of it and a list that people read (docs/anatomy.md).
#pragma once

#include <string>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/files/png.h"

namespace sinew {

// The rest surface from the front, the side and the back: flesh, skulls and rigid things, each in its colour.
Image anatomy_picture(const SimulationSurface& surface, const Anatomy& anatomy);

// A line for each bone that is not flesh and each rigid thing, with the evidence.
std::string anatomy_text(const SimulationSurface& surface, const Anatomy& anatomy);

}  // namespace sinew
