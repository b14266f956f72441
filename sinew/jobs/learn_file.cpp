#include "sinew/jobs/learn_file.h"

#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/deform/setting.h"
#include "sinew/jobs/open_character.h"

namespace sinew {
namespace {

LearnReport learn(const LearnJob& job, const Progress& progress) {
  if (!is_standard_output(job.output) && job.output.extension() != ".vskin")
    throw usage_error(job.output.string() + ": the output's name must end in .vskin.");
  check_settings(settings_of(job.settings));
  check_any_free(job.settings);
  if (!job.settings.skinning.empty())
    throw usage_error("--skinning: names the file that `sinew learn` writes; leave it out, and name the file with -o.");
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  check_can_write(job.output, Content::binary);  // fails before the work rather than after
  const OpenedCharacter opened = open_rigged_character(job.input, {job.height, job.unit});
  const Character& character = opened.character;

  LearnReport report;
  if (!opened.size.sentence.empty()) report.notes.push_back(opened.size.sentence);
  const OpenRigSpace open = open_rig_space(job.settings, character, part_of(progress, 0, 0.2));
  Stopwatch watch;
  const FoundSkinning found = find_skinning(open, character, job.settings, part_of(progress, 0.2, 1));
  report.seconds = watch.lap();
  const CookedRigSpace& scene = *open.cooked;
  write_skinning_file(job.output, {skinning_key(scene), scene.body->interior});

  report.parameters = scene.free.size();
  report.boundary = scene.body->boundary_vertices();
  report.interior = scene.body->interior_vertices();
  report.tetrahedra = scene.body->mesh.tetrahedra.size();
  report.poses = found.poses;
  report.skipped = found.skipped;
  report.correspondences = found.learned.correspondences;
  double squared = 0;
  for (const double r : found.learned.residual) squared += r * r;
  report.residual = std::sqrt(squared / static_cast<double>(std::max<std::size_t>(1, report.interior))) / scene.height;
  report.examples_seconds = found.examples_seconds;
  report.seconds_per_vertex = found.learned.seconds_per_vertex;
  return report;
}

}  // namespace

LearnReport learn_file(const LearnJob& job, const Progress& progress) {
  try {
    const StopInLoops stop(progress);
    return in_context(job.input.string(), "try stiffer flesh (--look subtle), a smaller --step or another --tetrahedra",
                      [&] { return learn(job, stop.progress()); });
  } catch (const Stopped&) {
    LearnReport report;
    report.complete = false;
    return report;
  }
}

}  // namespace sinew
