// What the method springs begins with in the studio.
#pragma once

#include <string>

#include "sinew/character/simulation_surface.h"

namespace sinew::studio {

// Springs swing joints that somebody names: at first those that only move flesh, or else the last ones of all chains.
std::string springs_settings(const SimulationSurface& surface);

}  // namespace sinew::studio
