// What the experiments with mixed elements measured, as tables.
#pragma once

#include <vector>

#include "sinew/bake/mixed_proof/bend.h"
#include "sinew/bake/mixed_proof/reference.h"
#include "sinew/bake/mixed_proof/twist.h"
#include "sinew/bake/table.h"

namespace sinew {

Table bend_table(const std::vector<BendRun>& runs);
Table twist_table(const std::vector<TwistPose>& poses);
Table reference_table(const std::vector<ReferenceRow>& rows);

}  // namespace sinew
