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
#include "sinew/jobs/motion/thrown_balls.h"

namespace sinew {
namespace {

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
  return static_cast<int>(link_of_joint(character.skeleton, body, static_cast<int>(named - joints.begin())));
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
  options.support = job.support.value_or(options.support);
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

bool walks_by_itself(const ReactMotionJob& job) { return job.walk || !job.gait.empty(); }

void check_walk(const ReactMotionJob& job) {
  const bool walks = walks_by_itself(job);
  if (!walks && !job.save_gait.empty()) throw usage_error("--save-gait: there is no gait without --walk or --gait.");
  if (!job.walk && job.tries) throw usage_error("--tries: nothing is searched for without --walk.");
  if (walks && job.repeat) throw usage_error("--repeat: a body that walks by itself plays no clip; leave it out.");
  if (walks && job.support)
    throw usage_error("--support: a body that walks by itself is not helped from outside; leave it out.");
  if (job.tries && *job.tries > 0 && *job.tries < least_tries)
    throw usage_error("--tries: a search takes at least " + std::to_string(least_tries) +
                      " tries; give it more, or 0 for the gait as it is.");
}

// The gait of the job, searched for where a speed is asked for.
GaitFile gait_for(const ReactMotionJob& job, const CharacterLinks& links, const ReferenceMotion& standing,
                  ReactMotionReport& report, const Progress& progress) {
  GaitFile first;
  if (!job.gait.empty()) first = gait_from_json(read_text_file(job.gait), job.gait.string());
  GaitSearch search;
  search.tries = job.tries.value_or(search.tries);
  if (!job.walk || search.tries == 0) return first;
  search.speed = *job.walk;
  search.strength = job.strength;
  if (!is_within_search(first.gait))
    report.notes.push_back(job.gait.string() +
                           ": some numbers are outside of what is searched; the search begins with the nearest.");
  const FoundGait found = find_gait(links, standing, first.gait, search, progress);
  if (found.quality.stands) {
    report.gait = found.quality;
    return {found.gait, found.quality.speed};
  }
  report.notes.push_back("in " + std::to_string(found.tries) + " tries no gait was found that stays up for " +
                         plain(search.seconds) +
                         " s and a push; this is the best one. Ask for more with --tries, or for another speed.");
  return {found.gait, {}};
}

// A reaction, and what else is written of it.
struct Reacted {
  ReactMotionReport report;
  Clip clip;
  GaitFile gait;
  std::vector<BallPath> balls;
  std::vector<double> times;  // of the balls' paths
};

Reacted reacted(const OpenedCharacter& opened, const ReactMotionJob& job, const Progress& progress) {
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character);
  const CharacterBody found = character_body(character, read_humanoid(*opened.document));

  // Without clips the character stands in its default pose.
  Clip standing{"stand", {}, 0, 0, {}};
  const Clip* clip = &standing;
  const bool walks = walks_by_itself(job);
  if (!job.clip.empty() || (!walks && !character.clips.empty()))
    clip = &character.clips[index(choose_clip(character, job.clip))];
  const bool repeats = !walks && clip->end > clip->start &&
                       (job.repeat || clip_end(character, surface, *clip, true).ending == Ending::moving_on);
  CharacterLinks links =
      character_links(character, surface, found.bones, sample(character.skeleton, clip, clip->start), flesh_density);
  set_limits(character, found.bones, found.reference, links.body);
  const ReferenceMotion motion(character, *clip, repeats, links);
  ReactOptions options = options_of(job, character, links.body, clip->end - clip->start);
  Reacted result;
  ReactMotionReport& report = result.report;
  GaitFile& gait = result.gait;
  if (walks) {
    ReferenceState beginning;
    motion.at(0, beginning);
    if (const std::string why = why_it_cannot_walk(links, beginning.pose); !why.empty())
      throw usage_error(character.file + " " + why);
    gait = gait_for(job, links, motion, report, progress);
    options.gait = gait.gait;
  }

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
  if (!walks && motion.was_given_travel())
    report.notes.push_back("'" + clip->name + "' walks on the spot; the body goes forward as its feet push it.");
  const std::string name = !job.name.empty() ? job.name : walks ? "own walk" : clip->name + ", pushed";
  result.clip = clip_of_links(character, links.body, clip == &standing ? nullptr : clip, repeats, reaction.times,
                              reaction.poses, unused_clip_name(character, name));
  const RiggedBody rigged{&character.skeleton, found.bones, found.reference, {0, 1, 0}, true};
  if (found.bones.complete()) report.slide = foot_slide_of(rigged, job.frames_per_second, result.clip);
  report.clip = result.clip.name;
  result.balls = ball_paths(character, options.balls, reaction);
  result.times = reaction.times;
  return result;
}

}  // namespace

Clip reaction_of(const OpenedCharacter& opened, const ReactMotionJob& job, ReactMotionReport& report,
                 const Progress& progress) {
  check_walk(job);
  Reacted result = reacted(opened, job, progress);
  report = std::move(result.report);
  return std::move(result.clip);
}

ReactMotionReport react_motion(const ReactMotionJob& job, const Progress& progress) {
  check_walk(job);
  if (!job.save_balls.empty() && job.throws.empty())
    throw usage_error("--save-balls: there are no balls without --throw.");
  check_outputs_apart(std::array{job.output, job.save_gait, job.save_balls}, std::array{job.input, job.gait});
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  Reacted result = reacted(opened, job, progress);
  add_ball_nodes(result.balls, result.times, opened, result.clip);
  write_with_clip(opened, std::move(result.clip), job.output);
  if (!job.save_gait.empty()) write_text_file(job.save_gait, gait_json(result.gait));
  if (!job.save_balls.empty()) write_text_file(job.save_balls, ball_settings(result.balls));
  return result.report;
}

}  // namespace sinew
