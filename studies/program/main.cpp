// The `sinew-study` program: one verb per method that is compared with others.
#include "sinew/cli/command_line.h"
#include "sinew/cli/run_program.h"
#include "studies/program/verbs.h"

namespace {

void add_verbs(sinew::cli::CommandLine& line) {
  sinew::study::add_mixed(line);
  sinew::study::add_capell(line);
  sinew::study::add_shi(line);
  sinew::study::add_rigspace(line);
  sinew::study::add_truth(line);
  sinew::study::add_shape(line);
  sinew::study::add_skinning(line);
  sinew::study::add_folds(line);
}

}  // namespace

int main(int argument_count, char** arguments) {
  return sinew::cli::run_program({"sinew-study", "Compares Sinew's methods with others: tables and pictures."},
                                 add_verbs, argument_count, arguments);
}
