// Finds clips of a character that would show a model something new.
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
  double share = 0;  // share of the skin that it accelerates at least a quarter more strongly than any example
};

// The most helpful clips, best first, at most `most`. A clip is judged by the acceleration that drives flesh: for every
// bone, the largest acceleration of the centre of its skin. `seen` are the motions of the examples, at steps of `step`
// seconds.
std::vector<HelpfulClip> helpful_clips(const Character& character, const SimulationSurface& surface,
                                       std::span<const SurfaceExample> seen, double step, std::size_t most = 3);

}  // namespace sinew
