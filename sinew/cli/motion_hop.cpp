#include "sinew/cli/motion_hop.h"

#include <cstdio>

#include "sinew/base/printable.h"
#include "sinew/cli/terminal.h"

namespace sinew::cli {

void run_hop(const HopMotionJob& job, bool quiet) {
  const HopReport report = hop_motion(job, terminal_progress(quiet));
  if (quiet) return;
  std::printf("%s: clip '%s', %.2f s, %.1f kg, %.0f times real time\n", printable(job.output.string()).c_str(),
              printable(report.clip).c_str(), report.seconds, report.mass, report.times_real_time);
  std::printf("%d hops of %.3f m, %.2f m/s, leaves its line by %.2f m\n", report.hops, report.height, report.speed,
              report.aside);
  if (report.fell) std::printf("note: fell at %.2f s; try another --speed.\n", *report.fell);
}

}  // namespace sinew::cli
