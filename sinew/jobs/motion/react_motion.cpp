#include "sinew/jobs/motion/react_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/bake/clip_end.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/number_text.h"
#include "sinew/base/output_place.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/dynamics/react.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/gait_json.h"
#include "sinew/jobs/motion/links_clip.h"
#include "sinew/jobs/motion/standing_feet.h"

namespace sinew {
namespace {

constexpr double flesh_density = 1000;  // kg/m^3
constexpr double after_last_event = 4;  // seconds
constexpr double most_reaction_keys = 1e6;

// The link that a joint is, or is a part of: the nearest one above it.
int link_named(const Character& character, const ArticulatedBody& body, const JointEvent& event, const char* option) {
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto named =
      std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == event.joint; });
  if (named == joints.end())
    throw usage_error(std::string(option) + ": " + character.file + " has no joint '" + event.joint +
                      "'; `sinew info` names them.");
  for (int j = static_cast<int>(named - joints.begin()); j >= 0; j = joints[index(j)].parent) {
    const auto at = std::find(body.joint.begin(), body.joint.end(), j);
    if (at != body.joint.end()) return static_cast<int>(at - body.joint.begin());
  }
  return 0;
}

double last_event(const ReactMotionJob& job) {
  double last = -HUGE_VAL;
  for (const auto* events : {&job.pushes, &job.throws})
    for (const JointEvent& event : *events) last = std::max(last, event.time);
  return job.limp ? std::max(last, *job.limp) : last;
}

ReactOptions options_of(const ReactMotionJob& job, const Character& character, const ArticulatedBody& body,
                        double clip_seconds) {
  ReactOptions options;
  options.seconds = job.seconds > 0 ? job.seconds : std::max({1.0, clip_seconds, last_event(job) + after_last_event});
  options.frames_per_second = job.frames_per_second;
  options.strength = job.strength;
  options.support = job.support;
  options.limp = job.limp;
  for (const JointEvent& event : job.pushes)
    options.pushes.push_back({event.time, link_named(character, body, event, "--push"), event.vector});
  for (const JointEvent& event : job.throws)
    options.balls.push_back({event.time, link_named(character, body, event, "--throw"), event.vector, job.ball_mass});
  if (!(options.seconds * options.frames_per_second <= most_reaction_keys))
    throw usage_error("--fps: " + plain(options.seconds) + " s at " + plain(options.frames_per_second) +
                      " keys per second are more than a million; ask for fewer, or for less with --seconds.");
  return options;
}

// What is asked of a walk without a clip.
void check_walk(const ReactMotionJob& job) {
  const bool walks = job.walk || !job.gait.empty();
  if (!walks && !job.save_gait.empty()) throw usage_error("--save-gait: there is no gait without --walk or --gait.");
  if (walks && job.repeat) throw usage_error("--repeat: a body that walks by itself plays no clip; leave it out.");
}

// The gait of the job, searched for where a speed is asked for.
Gait gait_for(const ReactMotionJob& job, const CharacterLinks& links, const ReferenceMotion& standing,
              ReactMotionReport& report, const Progress& progress) {
  Gait gait;
  if (!job.gait.empty()) gait = gait_from_json(read_text_file(job.gait), job.gait.string());
  if (!job.walk || job.tries == 0) return gait;
  GaitSearch search;
  search.speed = *job.walk;
  search.tries = job.tries;
  search.strength = job.strength;
  const FoundGait found = find_gait(links, standing, gait, search, progress);
  report.gait = found.quality;
  if (!found.quality.stands)
    report.notes.push_back("no gait was found that stays up in " + std::to_string(found.tries) +
                           " tries; ask for more with --tries, or for another speed.");
  return found.gait;
}

}  // namespace

ReactMotionReport react_motion(const ReactMotionJob& job, const Progress& progress) {
  check_walk(job);
  check_outputs_apart(std::array{job.output, job.save_gait}, std::array{job.input, job.gait});
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character);
  const CharacterBody found = character_body(character, read_humanoid(*opened.document));

  // Without clips the character stands in its default pose.
  Clip standing{"stand", {}, 0, 0, {}};
  const Clip* clip = &standing;
  const bool walks = job.walk || !job.gait.empty();
  if (!job.clip.empty() || (!walks && !character.clips.empty()))
    clip = &character.clips[index(choose_clip(character, job.clip))];
  const bool repeats = !walks && clip->end > clip->start &&
                       (job.repeat || clip_end(character, surface, *clip, true).ending == Ending::moving_on);
  CharacterLinks links =
      character_links(character, surface, found.bones, sample(character.skeleton, clip, clip->start), flesh_density);
  set_limits(character, found.bones, found.reference, links.body);
  const ReferenceMotion motion(character, *clip, repeats, links);
  ReactOptions options = options_of(job, character, links.body, clip->end - clip->start);
  ReactMotionReport report;
  if (walks) options.gait = gait_for(job, links, motion, report, progress);

  const Stopwatch watch;
  const Reaction reaction = react(links, motion, options, progress);
  report.times_real_time = options.seconds / std::max(watch.seconds(), 1e-9);
  report.seconds = options.seconds;
  report.links = links.body.size();
  report.mass = total_mass(links.body);
  report.most_lean = reaction.most_lean * 180 / std::numbers::pi;
  report.fell = reaction.fell;
  report.steps = reaction.steps;
  report.mean_help = reaction.mean_help;
  report.most_help = reaction.most_help;
  if (!found.bones.complete())
    report.notes.push_back(
        "no body with hips and two legs was found: limits of joints are rough, and nothing balances "
        "it but the force from outside.");
  if (!walks && !repeats && options.seconds > clip->end - clip->start + 0.5 && clip->end > clip->start)
    report.notes.push_back("'" + clip->name + "' does not repeat and stays at its end; --repeat plays it on.");
  if (motion.was_given_travel())
    report.notes.push_back("'" + clip->name + "' walks on the spot; the body goes forward as its feet push it.");
  const std::string name = !job.name.empty() ? job.name : walks ? "own walk" : clip->name + ", pushed";
  Clip result = clip_of_links(character, links.body, clip == &standing ? nullptr : clip, repeats, reaction.times,
                              reaction.poses, unused_clip_name(character, name));
  const RiggedBody rigged{&character.skeleton, found.bones, found.reference, {0, 1, 0}, true};
  if (found.bones.complete()) report.slide = foot_slide_of(rigged, job.frames_per_second, result);
  report.clip = result.name;
  append_clip(opened, std::move(result));
  GltfEdit edit(*opened.document);
  write_gltf_files(edit, job.output);
  if (!job.save_gait.empty()) write_text_file(job.save_gait, gait_json(*options.gait, job.walk.value_or(0)));
  return report;
}

}  // namespace sinew
