// Tables of the experiments with surface models.
#pragma once

#include <vector>

#include "studies/common/table.h"
#include "studies/surface/falling_tube.h"
#include "studies/surface/learning.h"
#include "studies/surface/local_drag.h"
#include "studies/surface/recovery.h"
#include "studies/surface/schemes.h"
#include "studies/surface/soft_part.h"

namespace sinew {

Table falling_tube_table(const FallingTube& experiment);
// Volume and section over time, for files.
Table falling_tube_frames_table(const FallingTube& experiment);
Table local_drag_table(const std::vector<LocalDragRun>& runs, const LocalDragOptions& options = {});
Table recovery_table(const std::vector<RecoveryRow>& rows);
Table schemes_table(const SchemesExperiment& experiment);
// Error of every iteration, for files.
Table scheme_iterations_table(const SchemesExperiment& experiment);
Table soft_part_table(const SoftPart& experiment);
Table learning_table(const std::vector<LearningExperiment>& experiments);

}  // namespace sinew
