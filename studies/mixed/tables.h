// Tables of the measurements with mixed elements.
#pragma once

#include <vector>

#include "studies/common/table.h"
#include "studies/mixed/bend.h"
#include "studies/mixed/joints.h"
#include "studies/mixed/press.h"
#include "studies/mixed/reference.h"
#include "studies/mixed/twist.h"

namespace sinew {

Table bend_table(const std::vector<BendRun>& runs);
Table twist_table(const std::vector<TwistPose>& poses);
Table press_table(const std::vector<PressPose>& poses);
Table reference_table(const std::vector<ReferenceRow>& rows);

// One row per run with the worst of all its frames; and all frames of all runs.
Table joint_table(const std::vector<JointRun>& runs);
Table joint_frame_table(const std::vector<JointRun>& runs);

}  // namespace sinew
