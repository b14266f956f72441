// Pictures of the experiments with surface models.
#pragma once

#include "sinew/bake/surface_proof/falling_tube.h"
#include "sinew/bake/surface_proof/learning.h"
#include "sinew/io/png.h"

namespace sinew {

// Side by side over time, a row without and one with spokes, the bone drawn over the tube.
Image falling_tube_picture(const FallingTube& experiment);

// Filmstrip of the last clip: the rig, flesh, and the model in the colours of its distance from flesh.
Image learning_picture(const Character& character, const LearningExperiment& experiment);

}  // namespace sinew
