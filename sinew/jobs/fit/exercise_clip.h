// A synthetic clip for learning flesh: every bone is shaken in every direction.
#pragma once

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// A model can learn only what its clips show: a walk contains no sideways motion, no jumps and no extremes. The
// exercise passes through the poses of `clip` (an index; -1: the rest pose) and rotates every bone of the surface about
// all axes by sines without a common period, from gentle to violent; topmost bones are translated as well. At the end
// the flesh comes to rest. The same character and clip give the same exercise. `height` is the surface's at rest,
// metres.
Clip exercise_clip(const Character& character, const SimulationSurface& surface, int clip, double height);

}  // namespace sinew
