// Motion of accessories with the flesh that they sit on.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// Accessory motion for a complete recording, whose parts are those of `surface`. Leaves out accessories that never move
// by 1e-5 of `height` (metres).
std::vector<AccessoryRecording> accessory_motions(const Character& character, const SimulationSurface& surface,
                                                  const Recording& recording, double height);

// Rigid motion of a node's mesh in a frame, metres, world; the identity for nodes that show no accessory.
Affine accessory_motion(const Recording& recording, int node, std::size_t frame);

}  // namespace sinew
