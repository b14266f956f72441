#include "sinew/cli/motion_flex.h"

#include <cstdio>

#include "sinew/base/printable.h"

namespace sinew::cli {

void add_flex_options(OptionSet& set, FlexMotionJob& job) {
  set.add("--muscles FILE", job.muscles, "Muscles (.json; default auto: those that skeleton and flesh suggest)")
      .group("Flex");
  set.add("--effort FACTOR", job.effort, "3",
          "Torque at which a muscle is fully active, over what its joint usually holds (default: by the clip, 1 at "
          "least)")
      .between(0.01, 1e4)
      .group("Flex");
}

void run_flex(const FlexMotionJob& job, bool quiet) {
  const FlexMotionReport report = flex_motion(job);
  if (quiet) return;
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  for (const MuscleEffort& muscle : report.muscles)
    std::printf("%s: %.3g N m and %.0f %% active at most, at %.2f s\n", printable(muscle.name).c_str(), muscle.most,
                100 * muscle.activation, muscle.time);
  std::printf("%s: %zu muscles in '%s', --effort %.3g\n", printable(job.output.string()).c_str(), report.muscles.size(),
              printable(report.clip).c_str(), report.effort);
}

}  // namespace sinew::cli
