// sinew motion ACTION FILE -o OUTPUT: new clips from those that a character has.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/base/printable.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/motion_edit.h"
#include "sinew/cli/motion_flex.h"
#include "sinew/cli/motion_fly.h"
#include "sinew/cli/motion_hop.h"
#include "sinew/cli/motion_match.h"
#include "sinew/cli/motion_react.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/cook/methods.h"
#include "sinew/jobs/motion/blend_motion.h"
#include "sinew/jobs/motion/graph/make_motion_graph.h"
#include "sinew/jobs/motion/graph/walk_motion_graph.h"
#include "sinew/jobs/motion/reduce_motion.h"

namespace sinew::cli {
namespace {

struct MotionOptions {
  std::string action, travel = "from-feet", name;
  std::filesystem::path input, output;
  std::vector<std::string> clips, weight;
  double seconds = 0, frames_per_second = 30;
  BlendMotionJob blend;
  MakeMotionGraphJob graph;
  WalkMotionGraphJob walk;
  MatchMotionJob match;
  ReduceMotionJob reduce;
  ReactOptionWords react;
  FlexMotionJob flex;
  EditOptionWords edit;
  FlyOptionWords fly;
  DrawMotionJob draw;
  SizeOptions size;
  bool quiet = false;
};

// The actions that an option is for; the others are for all.
const std::map<std::string, std::vector<std::string>>& actions_of_options() {
  static const std::map<std::string, std::vector<std::string>> actions{
      {"--clips", {"blend", "graph", "walk", "match", "reduce"}},
      {"--name", {"blend", "walk", "match", "react", "fly", "hop", "edit", "draw"}},
      {"--seconds", {"blend", "walk", "react", "fly", "hop", "draw"}},
      {"--fps", {"blend", "graph", "match", "react", "fly", "hop"}},
      {"--height", {"blend", "graph", "match", "reduce", "react", "flex", "fly", "hop", "edit", "draw"}},
      {"--unit", {"blend", "graph", "match", "reduce", "react", "flex", "fly", "hop", "edit", "draw"}},
      {"--weight", {"blend"}},
      {"--mask", {"blend"}},
      {"--additive", {"blend"}},
      {"--window", {"graph"}},
      {"--threshold", {"graph"}},
      {"--blend", {"graph"}},
      {"--travel", {"graph"}},
      {"--picture", {"graph"}},
      {"--path", {"walk", "match"}},
      {"--random", {"walk"}},
      {"--steer", {"walk", "match"}},
      {"--speed", {"match", "fly", "hop"}},
      {"--within", {"reduce"}},
      {"--clip", {"react", "flex", "edit"}},
      {"--muscles", {"flex"}},
      {"--effort", {"flex"}},
      {"--stroke", {"draw"}},
      {"--joint", {"edit"}},
      {"--at", {"edit"}},
      {"--width", {"edit"}},
      {"--by", {"edit"}},
      {"--from", {"edit"}},
      {"--linger", {"edit"}},
      {"--pin", {"edit"}},
      {"--repeat", {"react"}},
      {"--push", {"react"}},
      {"--throw", {"react"}},
      {"--ball-mass", {"react"}},
      {"--limp", {"react"}},
      {"--walk", {"react"}},
      {"--tries", {"react", "fly"}},
      {"--goals", {"fly"}},
      {"--mass", {"fly"}},
      {"--gait", {"react"}},
      {"--save-gait", {"react"}},
      {"--strength", {"react"}},
      {"--support", {"react"}}};
  return actions;
}

void check_action(const OptionSet& set, const std::string& action) {
  for (const Option& option : set.all()) {
    const auto actions = actions_of_options().find(option.name);
    if (!option.given || actions == actions_of_options().end()) continue;
    const std::vector<std::string>& allowed = actions->second;
    if (std::find(allowed.begin(), allowed.end(), action) != allowed.end()) continue;
    throw usage_error(option.name + ": is for motion " + listed_methods(allowed) + ", not for " + action + ".");
  }
}

// "0.5", a constant, or "2:1", seconds and weight.
WeightKey weight_key(const std::string& text) {
  const auto number = [&](const std::string& word) {
    return number_from(word, {"--weight", "a number, or a time and a number", "0.5 or 0:0,2:1"});
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {0, number(text)};
  return {number(text.substr(0, colon)), number(text.substr(colon + 1))};
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::printf("note: %s\n", printable(note).c_str());
}

void print_feet(const std::optional<MotionReport>& feet) {
  if (!feet) return;
  std::printf("feet stand %d %s and slide by %.2f %% of the leg at most", feet->contacts,
              feet->contacts == 1 ? "time" : "times", 100 * feet->slide);
  if (feet->slide < feet->slide_before) std::printf(" (%.2f %% before they were held)", 100 * feet->slide_before);
  std::printf("\n");
}

// A job with the files and the size that all actions on characters take.
template <class Job>
Job with_files(Job job, const MotionOptions& options) {
  job.input = options.input;
  job.output = options.output;
  job.size = options.size.asked();
  return job;
}

void run_blend(const MotionOptions& options) {
  BlendMotionJob job = with_files(options.blend, options);
  job.clips = options.clips;
  job.seconds = options.seconds;
  job.frames_per_second = options.frames_per_second;
  job.name = options.name;
  for (const std::string& text : options.weight) job.weight.push_back(weight_key(text));
  const BlendMotionReport report = blend_motion(job);
  if (options.quiet) return;
  print_notes(report.notes);
  std::printf("%s: clip '%s', %.2f s%s\n", printable(job.output.string()).c_str(), printable(report.clip).c_str(),
              report.seconds, report.in_step ? ", in step" : "");
  print_feet(report.feet);
}

void run_graph(const MotionOptions& options) {
  MakeMotionGraphJob job = with_files(options.graph, options);
  job.clips = options.clips;
  job.frames_per_second = options.frames_per_second;
  job.travel_from_feet = options.travel == "from-feet";
  const MotionGraphReport report = make_motion_graph(job, terminal_progress(options.quiet));
  if (options.quiet) return;
  print_notes(report.notes);
  std::printf("%s: %d clips of %d frames, %d transitions of at most %.3g m\n", printable(job.output.string()).c_str(),
              report.clips, report.frames, report.transitions, report.threshold);
}

void run_walk(const MotionOptions& options) {
  WalkMotionGraphJob job = options.walk;
  job.graph = options.input;
  job.output = options.output;
  job.clips = options.clips;
  job.name = options.name;
  if (options.seconds > 0) job.seconds = options.seconds;
  const WalkReport report = walk_motion_graph(job, terminal_progress(options.quiet));
  if (options.quiet) return;
  print_notes(report.notes);
  std::printf("%s: clip '%s', %.2f s, %d transitions, %.2f m walked\n", printable(job.output.string()).c_str(),
              printable(report.clip).c_str(), report.seconds, report.transitions, report.metres);
  if (report.mean_away)
    std::printf("distance from the path: %.3f m in the mean, %.3f m at most\n", *report.mean_away, *report.most_away);
  if (report.transitions > 0)
    std::printf(
        "largest jerk: %.4g m/s3 in transitions, %.4g m/s3 in the clips; %d of the transitions have more than "
        "both of their clips\n",
        report.jerk, report.own_jerk, report.rougher);
  print_feet(report.feet);
}

void run_match_motion(const MotionOptions& options) {
  MatchMotionJob job = with_files(options.match, options);
  job.clips = options.clips;
  job.plan = options.walk.plan;
  job.steer = options.walk.steer;
  job.frames_per_second = options.frames_per_second;
  job.name = options.name;
  run_match(job, options.quiet);
}

void run_reduce(const MotionOptions& options) {
  ReduceMotionJob job = with_files(options.reduce, options);
  job.clips = options.clips;
  for (const ReducedClip& clip : reduce_motion(job))
    if (!options.quiet)
      std::printf("'%s': %zu keys of %zu, at most %.2g %% of the height away\n", printable(clip.clip).c_str(),
                  clip.after, clip.before, 100 * clip.farthest);
}

void run_react_motion(const MotionOptions& options) {
  ReactOptionWords react = options.react;
  react.job = with_files(react.job, options);
  react.job.seconds = options.seconds;
  react.job.frames_per_second = options.frames_per_second;
  react.job.name = options.name;
  run_react(react, options.quiet);
}

void run_fly_motion(const MotionOptions& options) {
  FlyOptionWords fly = options.fly;
  fly.job = with_files(fly.job, options);
  fly.job.seconds = options.seconds;
  fly.job.speed = options.match.speed.value_or(fly.job.speed);
  fly.job.tries = options.react.job.tries.value_or(fly.job.tries);
  fly.job.frames_per_second = options.frames_per_second;
  fly.job.name = options.name;
  run_fly(fly, options.quiet);
}

void run_hop_motion(const MotionOptions& options) {
  HopMotionJob job = with_files(HopMotionJob{}, options);
  if (options.seconds > 0) job.options.seconds = options.seconds;
  job.options.speed = options.match.speed.value_or(job.options.speed);
  job.options.frames_per_second = options.frames_per_second;
  job.name = options.name;
  run_hop(job, options.quiet);
}

void run_flex_motion(const MotionOptions& options) {
  FlexMotionJob job = with_files(options.flex, options);
  job.clip = options.react.job.clip;
  run_flex(job, options.quiet);
}

void run_edit_motion(const MotionOptions& options) {
  EditOptionWords edit = options.edit;
  edit.job = with_files(edit.job, options);
  edit.job.clip = options.react.job.clip;
  edit.job.name = options.name;
  run_edit(edit, options.quiet);
}

void run_draw_motion(const MotionOptions& options) {
  DrawMotionJob job = with_files(options.draw, options);
  job.seconds = options.seconds;
  job.name = options.name;
  run_draw(job, options.quiet);
}

}  // namespace

void add_motion(CommandLine& line) {
  Verb& verb = line.add_verb("motion", "ACTION FILE -o OUTPUT", "Make new clips of those that a character has");
  const auto options = std::make_shared<MotionOptions>();
  OptionSet& set = verb.options;
  set.add("ACTION", options->action,
          "blend: from one clip to another, or something of both; graph: find transitions between clips; walk: play a "
          "graph along a path; match: choose frames along a path; reduce: thin out keys; react: pushed, and falling; "
          "flex: activate muscles by the "
          "torques of a clip; fly: beat the wings; hop: on one leg; edit: lead a joint along another path; draw: go as "
          "a stroke was "
          "drawn")
      .one_of({"blend", "graph", "walk", "match", "reduce", "react", "flex", "fly", "hop", "edit", "draw"})
      .required();
  set.add("FILE", options->input, "Character with the clips: .glb, .gltf or .vrm; for walk the graph, .json")
      .required();
  set.add("-o, --output FILE", options->output,
          "Character with the new clip: .glb, .gltf or .vrm; for graph the graph, for flex the activation, .json")
      .required();
  set.add("--clips NAME ...", options->clips,
          "Two clips to blend, as in Walk,Run; those of a graph or walk, or to thin out (default all)")
      .separated_by_commas();
  set.add("--name NAME", options->name, "Name of the new clip");
  set.add("--fps N", options->frames_per_second, "30", "Keys per second (default 30)").between(1, 1000);
  set.add("--seconds S", options->seconds, "2",
          "Length of the new clip (default: to the last key, or one cycle; 10 with --random)")
      .between(0.01, 3600);
  set.add("--weight KEY ...", options->weight,
          "Share of the second clip, 0 to 1, or seconds and shares: 0:0,2:1 goes over in two seconds (default 0.5)")
      .group("Blend")
      .separated_by_commas();
  set.add("--mask JOINT ...", options->blend.mask,
          "Only these joints, with all below them, take part in the second clip")
      .group("Blend")
      .separated_by_commas();
  set.add("--additive", options->blend.additive, "Add the second clip's changes to the first").group("Blend");
  set.add("--window S", options->graph.window, "0.33", "Seconds that a transition takes (default 1/3)")
      .group("Graph")
      .between(0.05, 5);
  set.add("--threshold M", options->graph.threshold, "0.1",
          "Largest distance of poses at a transition, metres (default: what adds the clips' usual jerk)")
      .group("Graph");
  set.add("--travel HOW", options->travel,
          "Clips that step in place go as fast as their feet tread (from-feet), or stay (none)")
      .one_of({"from-feet", "none"})
      .group("Graph");
  set.add("--blend NAME ...", options->graph.blend,
          "Clips with blends between them as further ones, by speed or turn, as in Walk,Run; or found")
      .separated_by_commas()
      .group("Graph");
  set.add("--picture FILE", options->graph.picture, "Picture of the distances and the graph (.png)").group("Graph");
  set.add("--path FILE", options->walk.plan, "Path on the ground, or clips to play (.json)").group("Walk");
  set.add("--random SEED", options->walk.seed, "1", "Wander by chance").group("Walk");
  set.add("--steer DEGREES", options->walk.steer, "90",
          "Turn that the body may add to its clips on a path, per second (default 90)")
      .group("Walk")
      .between(0, 720);
  add_match_options(set, options->match);
  set.add("--within SHARE", options->reduce.within, "0.001",
          "Farthest that a joint may be from where it was, as a share of the height (default 0.001)")
      .group("Reduce")
      .between(1e-7, 0.1);
  add_react_options(set, options->react);
  add_flex_options(set, options->flex);
  add_fly_options(set, options->fly);
  add_edit_options(set, options->edit);
  add_draw_options(set, options->draw);
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options, &set] {
    check_action(set, options->action);
    if (options->action == "blend") return run_blend(*options);
    if (options->action == "graph") return run_graph(*options);
    if (options->action == "match") return run_match_motion(*options);
    if (options->action == "reduce") return run_reduce(*options);
    if (options->action == "react") return run_react_motion(*options);
    if (options->action == "flex") return run_flex_motion(*options);
    if (options->action == "fly") return run_fly_motion(*options);
    if (options->action == "hop") return run_hop_motion(*options);
    if (options->action == "edit") return run_edit_motion(*options);
    if (options->action == "draw") return run_draw_motion(*options);
    run_walk(*options);
  };
}

}  // namespace sinew::cli
