// A motion that nobody keyed, to learn flesh from: every bone is shaken in every direction.
#pragma once

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// What a clip shows is what can be learned from it: a walk says nothing of sideways, of jumps, or of how far flesh
// goes. The exercise goes through the poses of `clip` (an index, -1: the rest pose), and turns every bone of the
// surface about all axes by sines of frequencies that have no common period, from gentle to violent; topmost bones are
// moved as well. At last flesh rings down. The same for the same character and clip. `height`: metres, of the surface
// at rest.
Clip exercise_clip(const Character& character, const SimulationSurface& surface, int clip, double height);

}  // namespace sinew
