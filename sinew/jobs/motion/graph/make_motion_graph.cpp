#include "sinew/jobs/motion/graph/make_motion_graph.h"

#include <array>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/files/png.h"
#include "sinew/jobs/motion/graph/blend_nodes.h"
#include "sinew/jobs/motion/graph/graph_picture.h"
#include "sinew/jobs/motion/graph/motion_graph_json.h"

namespace sinew {
namespace {

constexpr std::size_t map_pixels = 720;

std::string character_beside(const std::filesystem::path& input, const std::filesystem::path& output) {
  if (is_standard_output(output)) return input.generic_string();
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(output, error).parent_path();
  const std::filesystem::path relative =
      std::filesystem::relative(std::filesystem::absolute(input, error), folder, error);
  return error || relative.empty() ? input.generic_string() : relative.generic_string();
}

}  // namespace

MotionGraphReport make_motion_graph(const MakeMotionGraphJob& job, const Progress& progress) {
  check_outputs_apart(std::array{job.output, job.picture}, std::array{job.input});
  if (!is_standard_output(job.output) && job.output.extension() != ".json")
    throw usage_error(job.output.string() + ": the graph's name must end in .json.");
  if (!job.picture.empty() && !is_standard_output(job.picture) && job.picture.extension() != ".png")
    throw usage_error(job.picture.string() + ": the picture's name must end in .png.");
  const StopInLoops stop(progress);
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  const OpenedCharacter opened = open_rigged_character(job.input, job.size);
  const GraphCharacter character = graph_character(opened);
  const FoundMotionGraph found =
      find_motion_graph(opened.character, character, job, job.picture.empty() ? 0 : map_pixels, progress);

  const MotionGraph& graph = found.graph;
  MotionGraphFile file{character_beside(job.input, job.output),
                       opened.character.metres_per_unit,
                       skeleton_fingerprint(opened.character.skeleton),
                       {},
                       {},
                       {},
                       graph};
  MotionGraphReport report;
  report.notes = found.notes;
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    const GraphClip& own = graph.clips[c];
    const Clip& clip = clip_at(opened.character, found.blends, found.places[c]);
    file.clips.push_back(own.blend.empty() ? clip_fingerprint(clip) : blend_fingerprint(opened.character, own));
    file.starts.push_back(clip.start);
    file.steps.push_back(own.loops ? (clip.end - clip.start) / own.frames : 1 / job.frames_per_second);
    report.frames += own.frames;
  }
  report.clips = static_cast<int>(graph.clips.size());
  report.transitions = static_cast<int>(graph.transitions.size());
  report.threshold = graph.threshold;
  if (!job.picture.empty()) write_png(job.picture, graph_picture(found.all, graph, found.runs, found.similar));
  write_text_file(job.output, motion_graph_json(file));
  return report;
}

}  // namespace sinew
