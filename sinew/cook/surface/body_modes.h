// Vibration modes of a character's flesh: their shapes on the surface, and how bones excite them.
#pragma once

#include <vector>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// The `count` lowest modes of the body with its cores fixed, without those above `most_frequency` (hertz): shapes on
// the surface, excitation by the skin weights of the body's vertices, and the ratios of Rayleigh damping at each
// frequency. Throws simulation_error if a part of the body is not attached to anything.
std::vector<SurfaceMode> body_modes(const CookedFlesh& flesh, int count, double most_frequency);

}  // namespace sinew
