// sinew motion react: options and action.
#pragma once

#include <string>
#include <vector>

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/react_motion.h"

namespace sinew::cli {

struct ReactOptionWords {
  std::vector<std::string> pushes, throws;
  ReactMotionJob job;  // input, output, size, seconds, rate of keys and name are options of all actions
};

void add_react_options(OptionSet& set, ReactOptionWords& words);
void run_react(const ReactOptionWords& words, bool quiet);

}  // namespace sinew::cli
