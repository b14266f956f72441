// Pictures of the experiments with rig-space physics.
#pragma once

#include "sinew/files/png.h"
#include "studies/rig_space/interior.h"
#include "studies/rig_space/step_length.h"

namespace sinew {

// Elastic energy over time: the static solve and the maps that the paper shows, on a logarithmic scale.
Image interior_picture(const InteriorExperiment& experiment);
// The static solve and all maps that stay below `most` times its energy.
Image interior_close_picture(const InteriorExperiment& experiment, double most = 3);

// Mean error over steps taken, both logarithmic.
Image step_length_picture(const StepLengthExperiment& experiment);

}  // namespace sinew
