// sinew motion stride: options and action.
#pragma once

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/striding/stride_motion.h"

namespace sinew::cli {

// The job's input, output, size, seconds, speed, tries, gaits, rate of keys and name are options of several actions.
void add_stride_options(OptionSet& set, StrideMotionJob& job);
void run_stride(const StrideMotionJob& job, bool quiet);

}  // namespace sinew::cli
