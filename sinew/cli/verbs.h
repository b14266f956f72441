// The verbs of the `sinew` program: each adds one subcommand with its options and its action.
#pragma once

namespace CLI {
class App;
}

namespace sinew::cli {

// Each in the source of its own name. Actions throw Error for everything that goes wrong.
void add_animate(CLI::App& app);
void add_settings(CLI::App& app);
void add_info(CLI::App& app);
void add_check(CLI::App& app);
void add_flesh(CLI::App& app);
void add_volume(CLI::App& app);
void add_lattice(CLI::App& app);
void add_learn(CLI::App& app);
void add_fit(CLI::App& app);
void add_compare(CLI::App& app);
void add_bench(CLI::App& app);

}  // namespace sinew::cli
