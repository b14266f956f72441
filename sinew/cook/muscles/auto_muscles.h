// Muscles that a character's skeleton and flesh suggest: spindles along arms, legs and neck of bipeds and quadrupeds,
// as thick as the flesh between bone and skin (docs/muscles.md).
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/cook/muscles/muscle_file.h"

namespace sinew {

// Reads the parts of the skeleton from the names of its bones (anatomy/bone_names.h). Fewer muscles where bones lack;
// none where no name is known.
MuscleFile find_muscles(const SimulationSurface& surface);

}  // namespace sinew
