// Vibration modes of a character's flesh, as its surface shows them and its bones excite them.
#pragma once

#include <vector>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// The lowest `count` modes of the body with its cores held, those above `most_frequency` (hertz) left out: shapes on
// the scene's surface, drives by the skin weights of the body's vertices, and damping ratios of its Rayleigh damping at
// each frequency. Throws simulation_error where a part of the body hangs on nothing.
std::vector<SurfaceMode> body_modes(const CookedFlesh& scene, int count, double most_frequency);

}  // namespace sinew
