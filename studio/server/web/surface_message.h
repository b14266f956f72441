// Binary message that maps the file's primitives and vertices to vertices of the simulated surface
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
