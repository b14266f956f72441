// What there is to say about each vertex of the surface: what it lies on, how deep the flesh is, and what `sinew check`
// found.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/scene.h"

namespace sinew::studio {

// Per vertex: 0 on flesh, 1 on a skull, 2 of a rigid thing, 3 of a sheet (character/tissue.h).
std::vector<float> anatomy_channel(const Scene& scene);
// Metres, per vertex. Throws usage_error where the method knows no depth.
std::vector<float> depth_channel(const Scene& scene);

// The vertices of the surface that a defect is about, rising; none where it is about something else.
std::vector<int> vertices_of(const Defect& defect, const Character& character, const SimulationSurface& surface);

}  // namespace sinew::studio
