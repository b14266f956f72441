// sinew motion fly: options and action.
#pragma once

#include <string>
#include <vector>

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/flight/fly_motion.h"

namespace sinew::cli {

struct FlyOptionWords {
  FlyMotionJob job;                // input, output, size, seconds, speed, tries, rate of keys and name are of several
  std::vector<std::string> goals;  // "4:2:90"
};

void add_fly_options(OptionSet& set, FlyOptionWords& words);
void run_fly(const FlyOptionWords& words, bool quiet);

}  // namespace sinew::cli
