// Some poses of a character's clips, e.g. to prepare a body for the poses that it will be in.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// Returns the bones, rest space to world, in at most `most` poses, spread evenly over the clips and over the time of
// each. `clips`: indices; -1, the rest pose, is left out. Empty without clips.
std::vector<std::vector<Affine>> sampled_poses(const Character& character, const SimulationSurface& surface,
                                               std::vector<int> clips, std::size_t most);
// The poses of all clips.
std::vector<std::vector<Affine>> sampled_poses(const Character& character, const SimulationSurface& surface,
                                               std::size_t most);

}  // namespace sinew
