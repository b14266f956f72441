#include "sinew/cli/motion_react.h"

#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/base/printable.h"
#include "sinew/cli/terminal.h"

namespace sinew::cli {
namespace {

// "1.2:spine:300,0,0": a time, a joint, whose name may have colons, and three numbers.
JointEvent joint_event(const std::string& text, const char* option, const char* what) {
  const std::string form = std::string("a time in seconds, a joint and ") + what + ", as in 1.2:spine:300,0,0";
  const std::size_t first = text.find(':'), last = text.rfind(':');
  if (first == std::string::npos || first == last || last == first + 1)
    throw usage_error(std::string(option) + ": '" + text + "' is not " + form + ".");
  const auto number = [&](const std::string& word) { return number_from(word, {option, form, "1.2:spine:300,0,0"}); };
  JointEvent event{number(text.substr(0, first)), text.substr(first + 1, last - first - 1), {}};
  std::string rest = text.substr(last + 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string::npos) != (axis == 2))
      throw usage_error(std::string(option) + ": '" + text + "' is not " + form + ".");
    event.vector[axis] = number(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return event;
}

}  // namespace

void add_react_options(OptionSet& set, ReactOptionWords& words) {
  ReactMotionJob& job = words.job;
  set.add("--clip NAME", job.clip, "Clip that the body follows, or that is edited (default: the first)").group("React");
  set.add("--repeat", job.repeat, "Play the clip again at its end, although it does not come back to its beginning")
      .group("React");
  set.add("--push TIME:JOINT:X,Y,Z ...", words.pushes,
          "Push a joint by so many newton seconds within 0.1 s: 1.2:spine:300,0,0")
      .group("React");
  set.add("--throw TIME:JOINT:X,Y,Z ...", words.throws,
          "Throw a ball that arrives at a joint with this velocity, m/s, 0.3 s after the time")
      .group("React");
  set.add("--ball-mass KG", job.ball_mass, "3", "Mass of a thrown ball (default 3)").between(0.01, 1e5).group("React");
  set.add("--save-balls FILE", job.save_balls, "Keep the balls as settings with colliders, for `sinew animate`")
      .group("React");
  set.add("--limp S", job.limp, "2", "Time at which the body lets go and collapses").group("React");
  set.add("--walk SPEED", job.walk, "1.2", "Walk without a clip at this speed, m/s; a gait is searched for")
      .between(0, 10)
      .group("React");
  set.add("--tries N", job.tries, "300",
          "Gaits, strokes, hops or strides that are tried at most (default 300, 200, 100 and 600; 0: as they are)")
      .between(0, 1e6)
      .group("React");
  set.add("--gait FILE", job.gait, "Begin with the gait of this file").group("React");
  set.add("--save-gait FILE", job.save_gait, "Keep the gait as JSON").group("React");
  set.add("--strength FACTOR", job.strength, "1.5", "Stiffness and torque of the joints (default 1)")
      .between(0.01, 20)
      .group("React");
  set.add("--support SHARE", job.support, "0.1",
          "Force from outside that may help the balance, as a share of the weight (default 0.3; 0: none)")
      .between(0, 5)
      .group("React");
}

void run_react(const ReactOptionWords& words, bool quiet) {
  ReactMotionJob job = words.job;
  for (const std::string& text : words.pushes)
    job.pushes.push_back(joint_event(text, "--push", "an impulse in newton seconds"));
  for (const std::string& text : words.throws)
    job.throws.push_back(joint_event(text, "--throw", "a velocity in metres per second"));
  const ReactMotionReport report = react_motion(job, terminal_progress(quiet));
  if (quiet) return;
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  std::printf("%s: clip '%s', %.2f s, %zu links, %.1f kg, %.0f times real time\n",
              printable(job.output.string()).c_str(), printable(report.clip).c_str(), report.seconds, report.links,
              report.mass, report.times_real_time);
  if (report.gait)
    std::printf("the gait walks at %.2f m/s and leaves its line by %.2f m\n", report.gait->speed, report.gait->aside);
  if (report.fell)
    std::printf("fell at %.2f s", *report.fell);
  else if (job.limp)
    std::printf("let go at %.2f s", *job.limp);
  else
    std::printf("stayed on its feet");
  if (report.steps > 0) std::printf(", took %d %s", report.steps, report.steps == 1 ? "step" : "steps");
  std::printf("; leaned by %.1f degrees at most; helped by %.1f %% of its weight in the mean, %.1f %% at most\n",
              report.most_lean, 100 * report.mean_help, 100 * report.most_help);
  if (report.slide) std::printf("standing feet slide by %.1f %% of the leg at most\n", 100 * *report.slide);
}

}  // namespace sinew::cli
