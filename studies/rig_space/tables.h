// Tables of the experiments with rig-space physics.
#pragma once

#include <vector>

#include "studies/common/table.h"
#include "studies/rig_space/deferral.h"
#include "studies/rig_space/interior.h"
#include "studies/rig_space/speed.h"
#include "studies/rig_space/step_length.h"
#include "studies/rig_space/stiffness.h"
#include "studies/rig_space/stops.h"

namespace sinew {

// `name`: of the table, for files. `rig`: name of the evaluated rig, for readers.
Table speed_table(const SpeedExperiment& experiment, const std::string& name, const std::string& rig);

Table interior_table(const InteriorExperiment& experiment);
// Energy per frame.
Table interior_frames_table(const InteriorExperiment& experiment);

Table deferral_table(const DeferralExperiment& experiment);
Table step_length_table(const StepLengthExperiment& experiment);
Table stops_table(const StopsExperiment& experiment);
Table stiffness_table(const StiffnessExperiment& experiment);

}  // namespace sinew
