// Pictures of the experiments with surface models.
#pragma once

#include "sinew/files/png.h"
#include "studies/surface/falling_tube.h"
#include "studies/surface/learning.h"

namespace sinew {

// Frames side by side, one row without and one with spokes, with the bone drawn over the tube.
Image falling_tube_picture(const FallingTube& experiment);

// Filmstrip of the last clip: the rig, the flesh, and the model coloured by its distance from the flesh.
Image learning_picture(const Character& character, const LearningExperiment& experiment);

}  // namespace sinew
