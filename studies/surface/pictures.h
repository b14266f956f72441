// Pictures of the experiments with surface models.
#pragma once

#include "sinew/files/png.h"
#include "studies/surface/falling_tube.h"
#include "studies/surface/learning.h"

namespace sinew {

// Side by side over time, a row without and one with spokes, the bone drawn over the tube.
Image falling_tube_picture(const FallingTube& experiment);

// Filmstrip of the last clip: the rig, flesh, and the model in the colours of its distance from flesh.
Image learning_picture(const Character& character, const LearningExperiment& experiment);

}  // namespace sinew
