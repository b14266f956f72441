// The `sinew` program: one verb per use case.
#include "sinew/cli/command_line.h"
#include "sinew/cli/run_program.h"
#include "sinew/cli/verbs.h"

namespace {

void add_verbs(sinew::cli::CommandLine& line) {
  sinew::cli::add_animate(line);
  sinew::cli::add_settings(line);
  sinew::cli::add_info(line);
  sinew::cli::add_check(line);
  sinew::cli::add_anatomy(line);
  sinew::cli::add_flesh(line);
  sinew::cli::add_volume(line);
  sinew::cli::add_lattice(line);
  sinew::cli::add_learn(line);
  sinew::cli::add_fit(line);
  sinew::cli::add_compare(line);
  sinew::cli::add_rig(line);
  sinew::cli::add_studio(line);
  line.refuse_verb("bench", "the program sinew-study compares methods; it is built from source, and not installed.");
}

}  // namespace

int main(int argument_count, char** arguments) {
  return sinew::cli::run_program({"sinew", "Sinew gives a rigged character flesh that moves by physics."}, add_verbs,
                                 argument_count, arguments);
}
