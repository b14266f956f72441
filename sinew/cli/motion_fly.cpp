#include "sinew/cli/motion_fly.h"

#include <cstdio>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/base/printable.h"
#include "sinew/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr double degree = std::numbers::pi / 180;

FlightGoal flight_goal(const std::string& text) {
  const std::size_t first = text.find(':'), last = text.rfind(':');
  if (first == std::string::npos || first == last)
    throw usage_error("--goals: '" + text + "' is not a time, a height and degrees, as in 4:2:90.");
  const auto number = [&](const std::string& word) {
    return number_from(word, {"--goals", "a time, a height and degrees", "4:2:90"});
  };
  return {number(text.substr(0, first)), number(text.substr(first + 1, last - first - 1)),
          degree * number(text.substr(last + 1))};
}

}  // namespace

void add_fly_options(OptionSet& set, FlyOptionWords& words) {
  set.add("--goals TIME:HEIGHT:DEGREES ...", words.goals,
          "Heights, metres above the start, and headings to the left to fly at: 4:2:90")
      .separated_by_commas()
      .group("Fly");
  set.add("--mass KG", words.job.mass, "2", "Mass of the body (default: what its wings carry)")
      .between(1e-6, 1e6)
      .group("Fly");
}

void run_fly(const FlyOptionWords& words, bool quiet) {
  FlyMotionJob job = words.job;
  for (const std::string& text : words.goals) job.goals.push_back(flight_goal(text));
  const FlyReport report = fly_motion(job, terminal_progress(quiet));
  if (quiet) return;
  const FlightRecord& flight = report.flight;
  std::printf("%s: clip '%s', %.2f s; wings of %.2f m and %.2f m2 carry %.3g kg\n",
              printable(job.output.string()).c_str(), printable(report.clip).c_str(), report.seconds, report.span,
              report.area, report.mass);
  std::printf("%.2f beats a second of %.0f degrees to either side, %d tries\n", report.stroke.frequency,
              report.stroke.amplitude / degree, report.tries);
  std::printf("%.2f m/s, height off by %.3f m, heading by %.1f degrees, leans by %.0f degrees at most, %.3g W\n",
              flight.speed, flight.off_height, flight.off_heading / degree, flight.most_lean / degree, flight.power);
  if (flight.lost)
    std::printf("note: it does not keep its height or goes over after %.1f s; try another --speed or more --tries.\n",
                *flight.lost);
}

}  // namespace sinew::cli
