// Per-vertex data of the surface for display: anatomy, depth of flesh, and vertices with defects.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/scene.h"

namespace sinew::studio {

// Per vertex: 0 on flesh, 1 on a skull, 2 on a rigid thing, 3 on a thin shell (character/tissue.h).
std::vector<float> anatomy_channel(const Scene& scene);
// Depth of flesh per vertex, metres. Throws usage_error if the method has none.
std::vector<float> depth_channel(const Scene& scene);

// Surface vertices that a defect is about, ascending; empty if it is about something else.
std::vector<int> vertices_of(const Defect& defect, const Character& character, const SimulationSurface& surface);

}  // namespace sinew::studio
