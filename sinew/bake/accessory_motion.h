// What hangs on a character, moved with the flesh that it sits on.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// The motion of accessories that goes with a complete recording, whose parts are those of `surface`. Accessories that
// never move by a hundred-thousandth of `height`, metres, are left out.
std::vector<AccessoryRecording> accessory_motions(const Character& character, const SimulationSurface& surface,
                                                  const Recording& recording, double height);

// How the mesh of a node is moved in a frame, metres, world: the identity for all but accessories.
Affine accessory_motion(const Recording& recording, int node, std::size_t frame);

}  // namespace sinew
