#include "sinew/cli/motion_edit.h"

#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/base/printable.h"

namespace sinew::cli {
namespace {

Vec3 displacement(const std::string& text) {
  const NumberWords form{"--by", "three numbers in metres, as in 0,0.2,0", "0,0.2,0"};
  Vec3 by;
  std::string rest = text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string::npos) != (axis == 2))
      throw usage_error("--by: '" + text + "' is not " + form.kind + ".");
    by[axis] = number_from(rest.substr(0, comma), form);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return by;
}

}  // namespace

void add_edit_options(OptionSet& set, EditOptionWords& words) {
  EditPathJob& job = words.job;
  set.add("--joint NAME", job.joint, "Joint whose path is edited").group("Edit");
  set.add("--at S", job.edit.time, "0.5", "Time of the clip at which it is edited").group("Edit");
  set.add("--width S", job.edit.width, "0.3", "Seconds on either side within which the edit fades (default 0.3)")
      .between(0.02, 3600)
      .group("Edit");
  set.add("--by X,Y,Z", words.by, "Displace the joint by so many metres: 0,0.2,0").group("Edit");
  set.add("--from S", job.edit.from, "0.4", "The joint is at its place of this time, and its path stays").group("Edit");
  set.add("--linger SHARE", job.edit.linger, "0.5",
          "The joint is so much slower on its path, or faster below 0 (default 0)")
      .between(-1, 0.9)
      .group("Edit");
  set.add("--pin JOINT ...", job.pinned, "Joints that keep their paths, besides the feet")
      .separated_by_commas()
      .group("Edit");
}

void run_edit(const EditOptionWords& words, bool quiet) {
  EditPathJob job = words.job;
  if (!words.by.empty()) job.edit.by = displacement(words.by);
  const EditedPath edited = edit_path(job);
  if (quiet) return;
  std::printf("%s: clip '%s', %.2g m from where the path was asked to go at most%s\n",
              printable(job.output.string()).c_str(), printable(edited.clip.name).c_str(), edited.missed,
              edited.trunk_helps ? "; the trunk helps" : "");
  if (edited.pins_missed > 0.001)
    std::printf("feet and pinned joints leave their paths by %.2g m\n", edited.pins_missed);
}

void add_draw_options(OptionSet& set, DrawMotionJob& job) {
  set.add("--stroke FILE", job.stroke, "Places of the hips and their times, as they were drawn (.json)").group("Draw");
}

void run_draw(const DrawMotionJob& job, bool quiet) {
  if (job.stroke.empty()) throw usage_error("--stroke: name the file of the stroke.");
  const DrawnMotion drawn = draw_motion(job);
  if (quiet) return;
  std::printf("%s: clip '%s', %.2f s, %d %s\n", printable(job.output.string()).c_str(),
              printable(drawn.clip.name).c_str(), drawn.clip.end - drawn.clip.start, drawn.leaps,
              drawn.leaps == 1 ? "leap" : "leaps");
  std::printf("feet stand %d %s and slide by %.2f %% of the leg at most\n", drawn.feet.contacts,
              drawn.feet.contacts == 1 ? "time" : "times", 100 * drawn.feet.slide);
}

}  // namespace sinew::cli
