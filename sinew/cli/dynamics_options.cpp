#include "sinew/cli/dynamics_options.h"

#include <CLI/CLI.hpp>

namespace sinew::cli {

void DynamicsOptions::add_to(CLI::App& command) {
  command.add_option("--look", look, "How much the flesh moves: subtle, natural (default) or lively")->group(dynamics_group);
  command.add_option("--reference", reference, "What flesh rests at: rig (default: the animator's shape) or elastic")
      ->group(dynamics_group);
  command.add_option("--damping", damping, "Damping ratio, instead of a look's")->group(dynamics_group);
  command.add_option("--step", step, "Internal time step in seconds (default 1/240; rigspace: 0.01)")->group(dynamics_group);
}

}  // namespace sinew::cli
