// A picture of a motion graph: the distances of all windows with the transitions on them, and the clips with the ways
// between them.
#pragma once

#include <span>

#include "sinew/files/png.h"
#include "sinew/kinematics/graph/motion_graph.h"
#include "sinew/kinematics/graph/similar_windows.h"

namespace sinew {

// `all`: the graph with all clips and transitions, in the order of `runs`; `kept`: its strongest part.
Image graph_picture(const MotionGraph& all, const MotionGraph& kept, std::span<const WindowRun> runs,
                    const SimilarWindows& similar);

}  // namespace sinew
