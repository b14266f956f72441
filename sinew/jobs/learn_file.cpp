#include "sinew/jobs/learn_file.h"

#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/cook/rig_space/rig_space_method.h"
#include "sinew/jobs/open_character.h"

namespace sinew {
namespace {

LearnReport learn(const LearnJob& job, const Progress& progress) {
  if (!is_standard_output(job.output) && job.output.extension() != ".vskin")
    throw usage_error(job.output.string() + ": the output's name must end in .vskin.");
  RigSpaceMethod method;
  method.values = job.settings;
  method.values.inside = InteriorVertices::skinning;  // whatever is done with the map
  method.check();
  if (!job.settings.interior.empty())
    throw usage_error("--interior: names the file that `sinew learn` writes; leave it out, and name the file with -o.");
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  check_can_write(job.output, Content::binary);  // fails before the work rather than after
  const OpenedCharacter opened = open_rigged_character(job.input, {job.height, job.unit});
  const Character& character = opened.character;

  LearnReport report;
  if (!opened.size.sentence.empty()) report.notes.push_back(opened.size.sentence);
  CookCache cache;
  const Scene scene = cook(method, {character}, cache, progress);
  const FoundSkinning& found = *cache.of<FoundSkinningStage>().last();
  write_skinning_file(job.output, found.file);

  report.parameters = scene.report.free_unknowns;
  report.interior = found.file.weights.rows();
  report.boundary = scene.report.body_vertices - report.interior;
  report.tetrahedra = scene.report.tetrahedra;
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
