// What the experiments with mixed elements measured, as tables.
#pragma once

#include <vector>

#include "sinew/bake/mixed_proof/bend.h"
#include "sinew/bake/mixed_proof/joints.h"
#include "sinew/bake/mixed_proof/press.h"
#include "sinew/bake/mixed_proof/reference.h"
#include "sinew/bake/mixed_proof/twist.h"
#include "sinew/bake/table.h"

namespace sinew {

Table bend_table(const std::vector<BendRun>& runs);
Table twist_table(const std::vector<TwistPose>& poses);
Table press_table(const std::vector<PressPose>& poses);
Table reference_table(const std::vector<ReferenceRow>& rows);

// One row for each run: the worst of all its frames. And all frames of all runs.
Table joint_table(const std::vector<JointRun>& runs);
Table joint_frame_table(const std::vector<JointRun>& runs);

}  // namespace sinew
