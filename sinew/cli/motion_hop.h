// sinew motion hop: action.
#pragma once

#include "sinew/jobs/motion/hop_motion.h"

namespace sinew::cli {

void run_hop(const HopMotionJob& job, bool quiet);

}  // namespace sinew::cli
