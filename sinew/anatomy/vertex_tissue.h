// The tissue under each vertex of a surface.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// The tissue of the vertex's heaviest bone, unless it belongs to a thin shell or a rigid part.
std::vector<Tissue> tissue_of_vertices(const SimulationSurface& surface, const Anatomy& anatomy);

}  // namespace sinew
