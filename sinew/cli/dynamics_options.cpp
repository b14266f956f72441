#include "sinew/cli/dynamics_options.h"

#include "sinew/cli/options.h"

namespace sinew::cli {

void DynamicsOptions::add_to(OptionSet& options) {
  const char* group = dynamics_group;
  options.add("--look NAME", look, "How much the flesh moves: subtle, natural (default) or lively").group(group);
  options.add("--damping RATIO", damping, "0.1", "Damping ratio, instead of the look's: less jiggles longer")
      .group(group);
  options.add("--reference NAME", reference, "What flesh rests at: rig (default: the animator's shape) or elastic")
      .group(group)
      .advanced();
  options.add("--step SECONDS", step, "0.004", "Internal time step (default 1/240; rigspace: 0.01)")
      .group(group)
      .advanced();
}

}  // namespace sinew::cli
