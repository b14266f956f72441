// Pictures of the experiments with surface models.
#pragma once

#include "sinew/bake/surface_proof/falling_tube.h"
#include "sinew/io/png.h"

namespace sinew {

// Side by side over time, a row without and one with spokes, the bone drawn over the tube.
Image falling_tube_picture(const FallingTube& experiment);

}  // namespace sinew
