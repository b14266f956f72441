#include "sinew/cli/motion_stride.h"

#include <cstdio>
#include <numbers>

#include "sinew/base/printable.h"
#include "sinew/cli/terminal.h"

namespace sinew::cli {

void add_stride_options(OptionSet& set, StrideMotionJob& job) {
  set.add("--save-activation FILE", job.save_activation,
          "Keep the activation of the legs' muscles, for `sinew animate --muscles auto --activation` (.json)")
      .group("Stride");
}

void run_stride(const StrideMotionJob& job, bool quiet) {
  const StrideReport report = stride_motion(job, terminal_progress(quiet));
  if (quiet) return;
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  const StrideRecord& walk = report.walk;
  std::printf("%s: clip '%s', %.2f s; %.1f kg on legs of %.2f m, %d tries\n", printable(job.output.string()).c_str(),
              printable(report.clip).c_str(), report.seconds, report.mass, report.leg, report.tries);
  constexpr double degree = std::numbers::pi / 180;
  if (walk.fell)
    std::printf("fell at %.2f s, after %d steps\n", *walk.fell, walk.steps);
  else
    std::printf(
        "%.2f m/s, %d steps; the trunk leans by %.0f degrees and sways by %.1f; a leg carries %.2f weights at "
        "most\n",
        walk.speed, walk.steps, walk.lean / degree, walk.lean_away / degree, walk.peak_load);
  if (report.slide) std::printf("standing feet slide by %.1f %% of the leg at most\n", 100 * *report.slide);
  if (!report.activated.empty())
    std::printf("%s: activation of %zu muscles\n", printable(job.save_activation.string()).c_str(),
                report.activated.size());
}

}  // namespace sinew::cli
