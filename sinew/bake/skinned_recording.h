// Recordings and the skin of the file: viewers blend it linearly, whatever kind of skinning posed the goal.
#pragma once

#include "sinew/bake/recording.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// Adds to displacements from the surface's goal what leads from the file's own linearly blended skin to that goal, in
// the poses in which the file plays the frames. Changes nothing where the surface is skinned linearly.
void add_goal_of_skinning(const Character& character, const SimulationSurface& surface, Recording& recording);

}  // namespace sinew
