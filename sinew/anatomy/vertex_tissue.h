// What each vertex of a surface lies on.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// The tissue of its heaviest bone, unless it is of a sheet or of a rigid thing.
std::vector<Tissue> tissue_of_vertices(const SimulationSurface& surface, const Anatomy& anatomy);

}  // namespace sinew
