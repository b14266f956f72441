// Pictures of the experiments with mixed elements.
#pragma once

#include <vector>

#include "sinew/files/png.h"
#include "studies/mixed/bend.h"
#include "studies/mixed/joints.h"
#include "studies/mixed/press.h"
#include "studies/mixed/twist.h"

namespace sinew {

// A row for each run, its poses side by side, seen from the side.
Image bend_picture(const Bar& bar, const std::vector<BendRun>& runs);

// The bar as twisted by `degrees`: a row for each material, clusters and smooth fields side by side.
Image twist_picture(const Bar& bar, const std::vector<TwistPose>& poses, double degrees);

// A row for each material, its loads side by side, with the shapes that press.
Image press_picture(const Bar& bar, const std::vector<PressPose>& poses);

// Around each joint, at the end of its range: a row for each motion, the methods side by side.
Image joint_picture(const JointExperiment& experiment);

}  // namespace sinew
