// The `sinew` program: one verb per use case.
#include "sinew/cli/command_line.h"
#include "sinew/cli/run_program.h"
#include "sinew/cli/verbs.h"

int main(int argument_count, char** arguments) {
  return sinew::cli::run_program({"sinew", "Sinew gives a rigged character flesh that moves by physics."},
                                 sinew::cli::add_all_verbs, argument_count, arguments);
}
