// The `sinew` program with one method more.
#include "sinew/cli/command_line.h"
#include "sinew/cli/run_program.h"
#include "sinew/cli/verbs.h"
#include "sinew/cook/methods.h"
#include "tests/another_method/sway_method.h"

int main(int argument_count, char** arguments) {
  sinew::register_method(sinew::test::SwayMethod());
  return sinew::cli::run_program({"sinew", "Sinew gives a rigged character flesh that moves by physics."},
                                 sinew::cli::add_all_verbs, argument_count, arguments);
}
