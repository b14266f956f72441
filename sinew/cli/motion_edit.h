// sinew motion edit and draw: options and actions.
#pragma once

#include <string>

#include "sinew/cli/options.h"
#include "sinew/jobs/motion/draw_motion.h"
#include "sinew/jobs/motion/edit_path.h"

namespace sinew::cli {

struct EditOptionWords {
  EditPathJob job;  // input, output, size and clip are options of several actions
  std::string by;   // "0,0.2,0"
};

// sinew motion draw.
void add_draw_options(OptionSet& set, DrawMotionJob& job);
void run_draw(const DrawMotionJob& job, bool quiet);

void add_edit_options(OptionSet& set, EditOptionWords& words);
void run_edit(const EditOptionWords& words, bool quiet);

}  // namespace sinew::cli
