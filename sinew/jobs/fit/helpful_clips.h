// Which of a character's clips would show a model what its examples do not.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

struct HelpfulClip {
  std::string name;
  double share = 0;  // of the skin that it accelerates more strongly, by a quarter, than any example
};

// At most `most` of them, the most helpful first. What drives flesh is the acceleration of what it hangs on: for every
// bone that of the middle of its skin, its largest over a clip. `seen`: motions of the examples, at steps of `step`
// seconds.
std::vector<HelpfulClip> helpful_clips(const Character& character, const SimulationSurface& surface,
                                       std::span<const SurfaceExample> seen, double step, std::size_t most = 3);

}  // namespace sinew
