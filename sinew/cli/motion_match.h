// sinew motion match: options and action.
#pragma once

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/matching/match_motion.h"

namespace sinew::cli {

// Input, output, clips, path, steering, rate of keys, size and name are options of several actions.
void add_match_options(OptionSet& set, MatchMotionJob& job);
void run_match(const MatchMotionJob& job, bool quiet);

}  // namespace sinew::cli
