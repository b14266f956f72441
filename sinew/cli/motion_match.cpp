#include "sinew/cli/motion_match.h"

#include <cstdio>

#include "sinew/base/printable.h"
#include "sinew/cli/terminal.h"

namespace sinew::cli {

void add_match_options(OptionSet& set, MatchMotionJob& job) {
  set.add("--speed V", job.speed, "1.4",
          "Speed of match, fly and hop, m/s (default: that of the slowest clip that walks; 6; 0.5)")
      .between(0.01, 100)
      .group("Walk");
}

void run_match(const MatchMotionJob& job, bool quiet) {
  const MatchReport report = match_motion(job, terminal_progress(quiet));
  if (quiet) return;
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  std::printf("%s: clip '%s', %.2f s, %.2f m walked at %.2f m/s, chosen %d times from %zu frames (%.0f kB)\n",
              printable(job.output.string()).c_str(), printable(report.clip).c_str(), report.seconds, report.metres,
              report.speed, report.changes, report.frames, static_cast<double>(report.bytes) / 1000);
  for (std::size_t k = 0; k < report.played.size() && k < 6; ++k)
    std::printf("%s%s %.0f %%", k == 0 ? "plays " : ", ", printable(report.played[k].first).c_str(),
                100 * report.played[k].second);
  std::printf("\n");
  std::printf("distance from the path: %.3f m in the mean, %.3f m at most; heading: %.1f and %.1f degrees off\n",
              report.mean_away, report.most_away, report.mean_turned, report.most_turned);
  std::printf("largest jerk: %.4g m/s3, %.4g m/s3 in the clips; soles skate at %.3f m/s, %.3f m/s in the clips\n",
              report.jerk, report.own_jerk, report.skating, report.own_skating);
  if (!report.feet) return;
  std::printf("feet stand %d %s and slide by %.2f %% of the leg at most", report.feet->contacts,
              report.feet->contacts == 1 ? "time" : "times", 100 * report.feet->slide);
  if (report.feet->slide < report.feet->slide_before)
    std::printf(" (%.2f %% before they were held)", 100 * report.feet->slide_before);
  if (report.own_slide) std::printf("; %.2f %% in the clips", 100 * *report.own_slide);
  std::printf("\n");
}

}  // namespace sinew::cli
