// Which vertex of which primitive of the file is which vertex of the surface that moves, as bytes for pages
// (docs/studio_protocol.md, Surface).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew::studio {

std::vector<std::byte> surface_message(const Character& character, const SimulationSurface& surface,
                                       std::uint32_t number);

}  // namespace sinew::studio
