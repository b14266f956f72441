// sinew motion flex: options and action.
#pragma once

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/flex_motion.h"

namespace sinew::cli {

// `job`: input, output, size and clip are options of several actions.
void add_flex_options(OptionSet& set, FlexMotionJob& job);
void run_flex(const FlexMotionJob& job, bool quiet);

}  // namespace sinew::cli
