// The experiments with rig-space physics as tables.
#pragma once

#include <vector>

#include "sinew/bake/rig_space_proof/deferral.h"
#include "sinew/bake/rig_space_proof/interior.h"
#include "sinew/bake/rig_space_proof/speed.h"
#include "sinew/bake/rig_space_proof/step_length.h"
#include "sinew/bake/rig_space_proof/stiffness.h"
#include "sinew/bake/rig_space_proof/stops.h"
#include "sinew/bake/table.h"

namespace sinew {

// `name`: of the table, for files. `rig`: what is asked for the surface, for people.
Table speed_table(const SpeedExperiment& experiment, const std::string& name, const std::string& rig);

Table interior_table(const InteriorExperiment& experiment);
// Energy over frames.
Table interior_frames_table(const InteriorExperiment& experiment);

Table deferral_table(const DeferralExperiment& experiment);
Table step_length_table(const StepLengthExperiment& experiment);
Table stops_table(const StopsExperiment& experiment);
Table stiffness_table(const StiffnessExperiment& experiment);

}  // namespace sinew
