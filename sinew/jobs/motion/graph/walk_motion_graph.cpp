#include "sinew/jobs/motion/graph/walk_motion_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/character/choose_clip.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/graph/blend_nodes.h"
#include "sinew/jobs/motion/graph/graph_character.h"
#include "sinew/jobs/motion/graph/measure_walk.h"
#include "sinew/jobs/motion/graph/motion_graph_json.h"
#include "sinew/jobs/motion/graph/walk_plan_json.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/graph/follow_path.h"
#include "sinew/kinematics/graph/walk_clip.h"

namespace sinew {
namespace {

constexpr double longest_walk = 3600;  // seconds
constexpr double farthest_held = 0.2;  // of the leg, from the mean place of a foot that stands
constexpr double usual_steer = 90;     // degrees per second
constexpr double usual_wander = 10;    // seconds

// A graph with its character, checked against each other.
struct OpenedGraph {
  MotionGraphFile file;
  OpenedCharacter opened;
  std::vector<int> places;  // of the graph's clips (clip_at())
  std::deque<Clip> blends;
};

// The clip of this name and with these keys.
int place_of(const Character& character, const std::string& name, std::uint64_t keys, const std::string& graph) {
  bool has_name = false;
  for (std::size_t c = 0; c < character.clips.size(); ++c) {
    if (character.clips[c].name != name) continue;
    has_name = true;
    if (clip_fingerprint(character.clips[c]) == keys) return static_cast<int>(c);
  }
  throw input_error(graph + ": " + character.file +
                    (has_name ? " has other keys in its clip '" + name + "' than when the graph was made"
                              : " has no clip '" + name + "', which the graph plays") +
                    "; make the graph anew with `sinew motion graph`.");
}

// Leaves clips of these names only.
void keep_clips(const std::vector<std::string>& wanted, MotionGraphFile& file, const std::string& name) {
  if (wanted.empty()) return;
  std::vector<std::string> names;
  for (const GraphClip& clip : file.graph.clips) names.push_back(clip.name);
  std::vector<int> renumbered(names.size(), -1);
  for (const std::string& each : wanted) renumbered[index(choose_clip(names, name, checked_clip(each)))] = 0;
  MotionGraphFile kept = file;
  kept.graph.clips.clear();
  kept.graph.transitions.clear();
  kept.clips.clear();
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (renumbered[c] < 0) continue;
    renumbered[c] = static_cast<int>(kept.graph.clips.size());
    kept.graph.clips.push_back(file.graph.clips[c]);
    kept.clips.push_back(file.clips[c]);
  }
  for (GraphTransition each : file.graph.transitions) {
    each.from = renumbered[index(each.from)];
    each.to = renumbered[index(each.to)];
    if (each.from >= 0 && each.to >= 0) kept.graph.transitions.push_back(each);
  }
  file = std::move(kept);
}

// Leaves what leads on for ever, which edits of the file and a choice of clips may have broken.
void keep_strongest(MotionGraphFile& file, const std::string& name, std::vector<std::string>& notes) {
  std::vector<std::pair<std::string, std::uint64_t>> keys;
  for (std::size_t c = 0; c < file.clips.size(); ++c) keys.emplace_back(file.graph.clips[c].name, file.clips[c]);
  const std::vector<std::string> left_out = keep_strongest_part(file.graph);
  file.clips.clear();
  for (const GraphClip& clip : file.graph.clips)
    file.clips.push_back(
        std::find_if(keys.begin(), keys.end(), [&](const auto& each) { return each.first == clip.name; })->second);
  std::string names;
  for (const std::string& each : left_out) names += (names.empty() ? "'" : ", '") + each + "'";
  if (!names.empty()) notes.push_back("no way leads into these clips and out again: " + names + ".");
  const bool endless =
      std::any_of(file.graph.clips.begin(), file.graph.clips.end(), [](const GraphClip& clip) { return clip.loops; });
  if (file.graph.transitions.empty() && !endless)
    throw input_error(name +
                      ": has no transitions that lead on, and no clip that repeats; make the graph anew with a "
                      "larger --threshold.");
}

OpenedGraph open_graph(const WalkMotionGraphJob& job, std::vector<std::string>& notes) {
  OpenedGraph result;
  const std::string name = job.graph.string();
  result.file = motion_graph_from_json(read_text_file(job.graph), name);
  keep_clips(job.clips, result.file, name);
  keep_strongest(result.file, name, notes);
  const std::filesystem::path character = job.graph.parent_path() / result.file.character;
  check_outputs_apart(std::array{job.output}, std::array{job.graph, character, job.plan});
  result.opened = open_rigged_character(character, {{}, result.file.metres_per_unit});
  const Character& own = result.opened.character;
  if (skeleton_fingerprint(own.skeleton) != result.file.skeleton)
    throw input_error(name + ": is of another skeleton than that of " + own.file +
                      "; make the graph anew with `sinew motion graph`.");
  int blends = 0;
  for (std::size_t c = 0; c < result.file.clips.size(); ++c) {
    const GraphClip& clip = result.file.graph.clips[c];
    if (clip.blend.empty()) {
      result.places.push_back(place_of(own, clip.name, result.file.clips[c], name));
      continue;
    }
    if (blend_fingerprint(own, clip) != result.file.clips[c])
      throw input_error(name + ": " + own.file + " has other keys in the clips of the blend '" + clip.name +
                        "' than when the graph was made; make the graph anew with `sinew motion graph`.");
    result.places.push_back(static_cast<int>(own.clips.size()) + blends++);
  }
  return result;
}

void check_frames(const std::vector<FramedClip>& clips, const MotionGraphFile& file, const std::string& name) {
  for (std::size_t c = 0; c < clips.size(); ++c)
    if (clips[c].frames() != file.graph.clips[c].frames)
      throw input_error(name + ": \"clips\" gives '" + file.graph.clips[c].name + "' " +
                        std::to_string(file.graph.clips[c].frames) + " frames, but it has " +
                        std::to_string(clips[c].frames()) + "; make the graph anew with `sinew motion graph`.");
}

Walk walk_on_path(const WalkMotionGraphJob& job, const MotionGraph& graph, const std::vector<FramedClip>& clips,
                  const GroundPath& path, const GraphCharacter& character) {
  double fastest = 0;
  for (const FramedClip& clip : clips) fastest = std::max(fastest, clip.speed());
  // Heights per second; slower bodies shift their weight.
  constexpr double travelling = 0.1, usual_height = 0.5;
  if (!(fastest > travelling * (character.height > 0 ? character.height : usual_height)))
    throw input_error(job.graph.string() +
                      ": none of its clips travels, so that no path can be followed; make the graph with --travel "
                      "from-feet, or of clips that travel.");
  if (path.length() / fastest > longest_walk)
    throw input_error(job.plan.string() + ": \"points\" make a path of " + std::to_string(std::lround(path.length())) +
                      " m, which takes longer than an hour; shorten it.");
  FollowOptions options;
  options.steer = job.steer.value_or(usual_steer) * std::numbers::pi / 180;
  return follow_path(graph, clips, path, character.body.forward, options);
}

Walk walk_clips(const WalkMotionGraphJob& job, const GraphWalker& walker, const WalkPlan& plan) {
  std::vector<std::string> names;
  for (const GraphClip& clip : walker.graph().clips) names.push_back(clip.name);
  std::vector<ClipTurn> turns;
  double seconds = 0;
  for (const WalkPlan::ClipPart& part : plan.clips) {
    const int clip = choose_clip(names, job.graph.string(), checked_clip(part.clip));
    turns.push_back({clip, static_cast<int>(std::lround(part.seconds * walker.graph().frames_per_second))});
    seconds += part.seconds;
  }
  if (seconds > longest_walk || turns.size() > 10000)
    throw input_error(job.plan.string() + ": \"clips\" take longer than an hour; leave some out.");
  return play_in_turn(walker, turns);
}

// Each setting must take part in the walk.
void check_settings(const WalkMotionGraphJob& job) {
  if (job.plan.empty() && !job.seed)
    throw usage_error("motion walk: say where to go with --path FILE, or --random SEED to wander.");
  if (!job.plan.empty() && job.seed)
    throw usage_error("motion walk: --path and --random exclude each other; leave one out.");
  if (!job.plan.empty() && job.seconds)
    throw usage_error("--seconds: is the length of a walk with --random; with --path the file says how long it is.");
  if (job.plan.empty() && job.steer)
    throw usage_error("--steer: turns a body along the points of --path, not with --random; leave it out.");
}

}  // namespace

WalkReport walk_motion_graph(const WalkMotionGraphJob& job, const Progress& progress) {
  check_settings(job);
  report_or_stop(progress, "reading " + job.graph.filename().string(), 0);
  WalkReport report;
  OpenedGraph own = open_graph(job, report.notes);
  check_gltf_output(*own.opened.document, job.output);
  const MotionGraph& graph = own.file.graph;
  const GraphCharacter character = graph_character(own.opened);
  for (const GraphClip& clip : graph.clips)
    if (!clip.blend.empty())
      own.blends.push_back(blend_of(character, own.opened.character, clip, graph.frames_per_second));
  const std::vector<FramedClip> clips = framed_clips(character, own.opened.character, own.blends, graph, own.places);
  check_frames(clips, own.file, job.graph.string());

  report_or_stop(progress, "walking", 0.2);
  Walk walk;
  std::optional<GroundPath> path;
  if (job.plan.empty()) {
    const int frames = static_cast<int>(std::lround(job.seconds.value_or(usual_wander) * graph.frames_per_second));
    walk = wander(GraphWalker(graph, clips), static_cast<std::uint64_t>(*job.seed), frames);
  } else {
    const WalkPlan plan = walk_plan_from_json(read_text_file(job.plan), job.plan.string());
    if (plan.points.empty()) {
      if (job.steer)
        throw usage_error("--steer: turns a body along points, and " + job.plan.string() +
                          " has \"clips\"; leave it out.");
      walk = walk_clips(job, GraphWalker(graph, clips), plan);
    } else {
      path.emplace(plan.points, plan.closed);
      walk = walk_on_path(job, graph, clips, *path, character);
    }
  }

  report_or_stop(progress, "writing " + job.output.filename().string(), 0.8);
  Clip clip = walk_clip(character.body, clips, walk, graph.frames_per_second,
                        unused_clip_name(own.opened.character, job.name.empty() ? "walk" : job.name));
  measure_jerk(character, graph, clips, walk, clip, report);
  if (character.has_legs) {
    // Feet are held unless that makes the motion rougher than the clips are.
    Clip held = clip;
    report.feet = hold_feet_of(character.rigged(), graph.frames_per_second, 0, held, farthest_held);
    WalkReport with_feet = report;
    measure_jerk(character, graph, clips, walk, held, with_feet);
    if (with_feet.jerk <= std::max(report.jerk, report.own_jerk)) {
      report = with_feet;
      clip = std::move(held);
    } else if (report.feet) {
      report.feet->slide = report.feet->slide_before;
      report.notes.push_back("feet are not held, since that would make transitions rougher than the clips are.");
    }
  }
  report.clip = clip.name;
  report.seconds = clip.end;
  report.transitions = static_cast<int>(walk.transitions.size());
  std::vector<Vec3> places;
  for (const WalkFrame& frame : walk.frames) places.push_back(body_standing(clips, frame).place);
  const MeasuredWay way = measure_way(places, path ? &*path : nullptr);
  report.metres = way.metres;
  report.mean_away = way.mean_away;
  report.most_away = way.most_away;
  append_clip(own.opened, std::move(clip));
  GltfEdit edit(*own.opened.document);
  write_gltf_files(edit, job.output);
  return report;
}

}  // namespace sinew
