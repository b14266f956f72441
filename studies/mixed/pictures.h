// Pictures of the experiments with mixed elements.
#pragma once

#include <vector>

#include "sinew/files/png.h"
#include "studies/mixed/bend.h"
#include "studies/mixed/joints.h"
#include "studies/mixed/press.h"
#include "studies/mixed/twist.h"

namespace sinew {

// One row per run, with its poses side by side, from the side.
Image bend_picture(const Bar& bar, const std::vector<BendRun>& runs);

// The bar twisted by `degrees`: one row per material, with clusters and smooth fields side by side.
Image twist_picture(const Bar& bar, const std::vector<TwistPose>& poses, double degrees);

// One row per material, with its loads side by side, and the colliders.
Image press_picture(const Bar& bar, const std::vector<PressPose>& poses);

// The region of each joint at the end of its range: one row per motion, with the methods side by side.
Image joint_picture(const JointExperiment& experiment);

}  // namespace sinew
