#include "sinew/jobs/motion/striding/stride_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/number_text.h"
#include "sinew/base/output_place.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/muscles/auto_muscles.h"
#include "sinew/dynamics/gait_search.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/activation_curves.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/links_clip.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/jobs/motion/standing_links.h"
#include "sinew/jobs/motion/striding/reflexes_json.h"

namespace sinew {
namespace {

constexpr double usual_stride_seconds = 10, most_stride_keys = 1e5, fastest_stride = 10;

void check_stride(const StrideMotionJob& job) {
  if (job.tries > 0 && job.tries < least_tries)
    throw usage_error("--tries: a search takes at least " + std::to_string(least_tries) +
                      " tries; give it more, or 0 for the reflexes as they are.");
  if (!(job.speed > 0 && job.speed <= fastest_stride))
    throw usage_error("--speed: a body strides at more than 0 and at most 10 m/s.");
  if (!(job.seconds * job.frames_per_second <= most_stride_keys))
    throw usage_error("--fps: a walk has 100,000 keys at most; ask for fewer, or for less with --seconds.");
  if (!job.save_activation.empty() && job.save_activation.extension() != ".json")
    throw usage_error(job.save_activation.string() + ": the name of a file of activation must end in .json.");
  check_outputs_apart(std::array{job.output, job.save_gait, job.save_activation}, std::array{job.input, job.gait});
}

// Muscles of `auto` and the groups of the leg that they are; the strongest of several counts.
struct ActivatedMuscle {
  const char* name;
  std::array<LegMuscle, 2> groups;
};
constexpr std::array<ActivatedMuscle, 4> activated_muscles{{{"gluteal", {glutei, glutei}},
                                                            {"quadriceps", {vasti, hip_flexors}},
                                                            {"hamstrings", {hamstrings, hamstrings}},
                                                            {"calf", {soleus, gastrocnemius}}}};

// The muscles of both legs, left and right, that the character has. Throws usage_error where there are none.
std::vector<std::string> muscles_of_legs(const StrideMotionJob& job, const SimulationSurface& surface) {
  std::vector<std::string> names;
  for (const Muscle& muscle : find_muscles(surface).muscles)
    for (const ActivatedMuscle& activated : activated_muscles)
      for (const char* side : {".L", ".R"})
        if (muscle.name == std::string(activated.name) + side) names.push_back(muscle.name);
  if (names.empty())
    throw usage_error("--save-activation: " + job.input.string() +
                      " has no muscles in its legs; `sinew animate --muscles auto` finds them by names of bones.");
  return names;
}

void save_activation(const StrideMotionJob& job, const std::vector<std::string>& found, StrideReport& report) {
  ActivationFile file{job.save_activation.string(), {}, {}, report.clip};
  for (std::size_t leg = 0; leg < 2; ++leg)
    for (const ActivatedMuscle& muscle : activated_muscles) {
      const std::string name = std::string(muscle.name) + (leg == 0 ? ".L" : ".R");
      if (std::find(found.begin(), found.end(), name) == found.end()) continue;
      std::vector<ActivationKey> curve;
      for (const StrideFrame& frame : report.walk.frames)
        curve.push_back(
            {rounded_activation(frame.time), rounded_activation(std::max(frame.activation[leg][muscle.groups[0]],
                                                                         frame.activation[leg][muscle.groups[1]]))});
      add_activation_curve(name, curve, file);
      report.activated.push_back(name);
    }
  write_text_file(job.save_activation, activation_json(file));
}

// The reflexes of the job, searched for with `tries`.
Reflexes reflexes_for(const StrideMotionJob& job, const PlanarMeasures& measures, StrideReport& report,
                      const Progress& progress) {
  const Reflexes first =
      job.gait.empty() ? usual_reflexes() : reflexes_from_json(read_text_file(job.gait), job.gait.string()).reflexes;
  if (job.tries == 0) return first;
  StrideSearch search;
  search.speed = job.speed;
  search.tries = job.tries;
  const FoundStride found = find_stride(measures, first, search, progress);
  report.tries = found.tries;
  if (found.walk.fell)
    report.notes.push_back("in " + std::to_string(found.tries) + " tries no reflexes were found that walk for " +
                           plain(search.seconds) +
                           " s; these are the best ones. Ask for more with --tries, or for another speed.");
  return found.reflexes;
}

}  // namespace

StrideReport stride_motion(const StrideMotionJob& job, const Progress& progress) {
  check_stride(job);
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  const StandingLinks standing = standing_links(opened);
  const CharacterLinks& links = standing.links;
  const PlanarCharacter planar = planar_character(links, standing.pose, standing.ground);

  StrideReport report;
  report.mass = planar.measures.mass();
  report.leg = planar.measures.leg();
  std::vector<std::string> muscles;
  if (!job.save_activation.empty()) muscles = muscles_of_legs(job, simulation_surface(character));
  const Reflexes reflexes = reflexes_for(job, planar.measures, report, progress);
  report_or_stop(progress, "writing " + job.output.filename().string(), 0.95);
  StrideOptions options;
  options.speed = job.speed;
  options.seconds = job.seconds > 0 ? job.seconds : usual_stride_seconds;
  options.frames_per_second = job.frames_per_second;
  options.counts_from = std::min(options.counts_from, 0.5 * options.seconds);
  report.walk = stride(planar.measures, reflexes, options);
  std::vector<double> times;
  std::vector<TreePose> poses;
  for (const StrideFrame& frame : report.walk.frames) {
    times.push_back(frame.time);
    poses.push_back(pose_of_planar(links, planar, frame.pose));
  }
  Clip clip = clip_of_links(character, links.body, nullptr, false, times, poses,
                            unused_clip_name(character, job.name.empty() ? "stride" : job.name));
  const CharacterBody& body = standing.body;
  const RiggedBody rigged{&character.skeleton, body.bones, body.reference, {0, 1, 0}, true};
  if (body.bones.complete()) report.slide = foot_slide_of(rigged, job.frames_per_second, clip);
  report.clip = clip.name;
  report.seconds = clip.end;
  write_with_clip(opened, std::move(clip), job.output);
  if (!job.save_gait.empty())
    write_text_file(job.save_gait,
                    reflexes_json({reflexes, report.walk.fell ? std::optional<double>{} : report.walk.speed}));
  if (!job.save_activation.empty()) save_activation(job, muscles, report);
  return report;
}

}  // namespace sinew
