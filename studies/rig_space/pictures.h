// Pictures of the experiments with rig-space physics.
#pragma once

#include "sinew/files/png.h"
#include "studies/rig_space/interior.h"
#include "studies/rig_space/step_length.h"

namespace sinew {

// Elastic energy over time on a logarithmic scale: the static solution and the maps that the paper shows.
Image interior_picture(const InteriorExperiment& experiment);
// The static solution and all maps that stay below `most` times its energy.
Image interior_close_picture(const InteriorExperiment& experiment, double most = 3);

// Mean error over steps taken, both logarithmic.
Image step_length_picture(const StepLengthExperiment& experiment);

}  // namespace sinew
