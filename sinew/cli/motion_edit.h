// sinew motion edit: options and action.
#pragma once

#include <string>

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/edit_path.h"

namespace sinew::cli {

struct EditOptionWords {
  EditPathJob job;  // input, output, size and clip are options of several actions
  std::string by;   // "0,0.2,0"
};

void add_edit_options(OptionSet& set, EditOptionWords& words);
void run_edit(const EditOptionWords& words, bool quiet);

}  // namespace sinew::cli
