// The verbs of the program `sinew-study`: each function adds one, with its options and its action.
#pragma once

namespace sinew::cli {
class CommandLine;
}

namespace sinew::study {

// Each in the source of its own name.
void add_mixed(cli::CommandLine& line);
void add_capell(cli::CommandLine& line);
void add_shi(cli::CommandLine& line);
void add_rigspace(cli::CommandLine& line);
void add_truth(cli::CommandLine& line);
void add_shape(cli::CommandLine& line);
void add_skinning(cli::CommandLine& line);
void add_folds(cli::CommandLine& line);

}  // namespace sinew::study
