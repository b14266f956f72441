#include "sinew/cli/verbs.h"

#include "sinew/cli/command_line.h"

namespace sinew::cli {

void add_all_verbs(CommandLine& line) {
  add_animate(line);
  add_settings(line);
  add_info(line);
  add_check(line);
  add_anatomy(line);
  add_flesh(line);
  add_volume(line);
  add_lattice(line);
  add_learn(line);
  add_fit(line);
  add_compare(line);
  add_motion(line);
  add_rig(line);
  add_shape(line);
  add_studio(line);
  line.refuse_verb("bench", "the program sinew-study compares methods; it is built from source, and not installed.");
}

}  // namespace sinew::cli
