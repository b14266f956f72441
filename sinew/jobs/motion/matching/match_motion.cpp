#include "sinew/jobs/motion/matching/match_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/graph/chosen_clips.h"
#include "sinew/jobs/motion/graph/walk_plan_json.h"
#include "sinew/jobs/motion/matching/measure_match.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/graph/steer_graph.h"
#include "sinew/kinematics/graph/walk_clip.h"
#include "sinew/kinematics/matching/match_path.h"

namespace sinew {
namespace {

constexpr int most_frames = 100000;
constexpr double longest_walk = 3600;  // seconds
constexpr double usual_steer = 90;     // degrees per second
constexpr double farthest_held = 0.2;  // of the leg, from the mean place of a foot that stands
constexpr double usual_height = 0.5;   // metres, of a body without skin
constexpr double travelling = 0.1;     // heights per second
constexpr double longest_rest = 0.5;   // heights: a step that is not worth taking

// The joints that are compared: feet, and hands of a body that stands on them; without legs, some points of the skin.
PointCloud compared_points(const GraphCharacter& character) {
  PointCloud points{{}, character.body.metres_per_unit};
  if (!character.has_legs) {
    constexpr std::ptrdiff_t some = 8;
    const std::vector<CarriedPoint>& all = character.cloud.points;
    points.points.assign(all.begin(), all.begin() + std::min(some, std::ssize(all)));
    return points;
  }
  const auto add = [&](int joint) { points.points.push_back({1, {{joint, 1, {}}}}); };
  for (const LimbBones& leg : character.bones.bones.legs) add(leg.end_joint());
  constexpr double low = 0.2;  // of the height
  for (const LimbBones& arm : character.bones.bones.arms) {
    const int hand = arm.end_joint();
    if (hand >= 0 &&
        character.bones.reference.position[index(hand)].y * points.metres_per_unit < low * character.height)
      add(hand);
  }
  return points;
}

std::string metres(double length) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2g m", length);
  return text;
}

// Whether the way from a clip's first frame to its last is long and fast enough for travel: a body that lunges and
// comes back, or gets up from a chair, does not travel.
bool travels(const FramedClip& clip, double height) {
  const int steps = clip.loops() ? clip.frames() : clip.frames() - 1;
  const double way = norm(clip.standing(steps).place - clip.standing(0).place + steps * clip.travel_step());
  constexpr double least_way = 0.5;  // heights, of a clip that does not loop
  return way * clip.frames_per_second() > travelling * height * steps && (clip.loops() || way > least_way * height);
}

// Whether the body goes over level ground: neither sits down nor gets up, jumps or rolls.
bool is_level(const GraphCharacter& character, const FramedClip& clip, double height) {
  constexpr double most = 0.2;  // of the height
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  SamplingSpace space;
  Pose pose;
  for (int f = 0; f < clip.frames(); ++f) {
    clip.sample_frame(f, space, pose);
    const double own = pose.world[index(character.body.root)].translation.y * character.body.metres_per_unit;
    lowest = std::min(lowest, own);
    highest = std::max(highest, own);
  }
  return highest - lowest < most * height;
}

// Keeps clips that travel, and the calmest of those that stand: any other motion on the spot would be taken for a way
// of standing.
void keep_going_and_standing(const GraphCharacter& character, double height, std::vector<FramedClip>& clips,
                             std::vector<std::string>& notes) {
  std::vector<FramedClip> kept;
  const FramedClip* calmest = nullptr;
  double least = HUGE_VAL;
  std::vector<std::string> left_out;
  for (const FramedClip& clip : clips) {
    if (travels(clip, height) && is_level(character, clip, height)) {
      kept.push_back(clip);
      continue;
    }
    left_out.push_back("'" + clip.clip().name + "'");
    const double lively = clip.speed() + liveliness_of(character.cloud, clip);
    if (clip.loops() && !travels(clip, height) && lively < least) least = lively, calmest = &clip;
  }
  if (calmest) {
    std::erase(left_out, "'" + calmest->clip().name + "'");
    kept.push_back(*calmest);
  }
  if (!left_out.empty())
    notes.push_back(
        "clips that do not travel over level ground are left out, but for the calmest that stands; --clips takes them "
        "in: " +
        some_of(left_out) + ".");
  clips = std::move(kept);
}

std::vector<FramedClip> clips_of(const MatchMotionJob& job, const Character& source, const GraphCharacter& character,
                                 double height, const DatabaseOptions& options, std::vector<std::string>& notes) {
  std::vector<FramedClip> clips;
  std::vector<std::string> too_short, treading;
  double all = 0;
  for (const int place : chosen_clips(source, job.clips, notes)) {
    const Clip& clip = source.clips[index(place)];
    all += (clip.end - clip.start) * job.frames_per_second;
    if (all > most_frames)
      throw usage_error("--clips: the clips have more than " + std::to_string(most_frames) +
                        " frames; name some of them, or ask for fewer frames a second with --fps.");
    FramedClip framed = framed_clip(character, source, clip, job.frames_per_second, true);
    if (!framed.loops() && framed.frames() <= frames_before(options, job.frames_per_second) +
                                                  frames_left(options, job.frames_per_second)) {
      too_short.push_back("'" + clip.name + "'");
      continue;
    }
    clips.push_back(std::move(framed));
  }
  if (job.clips.empty()) keep_going_and_standing(character, height, clips, notes);
  for (const FramedClip& clip : clips)
    if (norm(clip.travel()) > 0) treading.push_back(clip_with_speed(clip));
  if (!too_short.empty() && !job.clips.empty())
    notes.push_back("clips that are too short to be begun in are left out: " + some_of(too_short) + ".");
  if (!treading.empty())
    notes.push_back("these clips step in place, and go as fast as their feet tread: " + some_of(treading) + ".");
  if (clips.empty())
    throw input_error(source.file +
                      ": none of its clips goes forward, so that no path can be followed; name clips that "
                      "travel, or step in place, with --clips.");
  return clips;
}

double wanted_speed(const MatchMotionJob& job, const SteerSpeeds& speeds, const Character& source) {
  if (!(speeds.run > 0))
    throw input_error(source.file +
                      ": none of its clips goes forward, so that no path can be followed; name clips that travel, or "
                      "step in place, with --clips.");
  if (!job.speed) return speeds.walk;
  constexpr double most_of_run = 1.5;
  if (*job.speed > most_of_run * speeds.run)
    throw usage_error("--speed: the fastest clip of " + source.file + " goes " + std::to_string(speeds.run) +
                      " m/s; ask for at most half as much more.");
  return *job.speed;
}

}  // namespace

MatchReport match_motion(const MatchMotionJob& job, const Progress& progress) {
  if (job.plan.empty()) throw usage_error("motion match: say where to go with --path FILE.");
  check_outputs_apart(std::array{job.output}, std::array{job.input, job.plan});
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& source = opened.character;
  const WalkPlan plan = walk_plan_from_json(read_text_file(job.plan), job.plan.string());
  if (plan.points.empty())
    throw input_error(
        job.plan.string() +
        R"(: "clips" are for `sinew motion walk`; motion match needs "points", as in {"points": [[0, 0], )"
        "[0, 5]]}.");
  const GroundPath path(plan.points, plan.closed);
  const GraphCharacter character = graph_character(opened);
  const double height = character.height > 0 ? character.height : usual_height;

  MatchReport report;
  DatabaseOptions database_options;
  const std::vector<FramedClip> clips = clips_of(job, source, character, height, database_options, report.notes);
  MatchPathOptions options;
  report.speed = options.speed = wanted_speed(job, steer_speeds(clips, character.body.forward, height), source);
  database_options.pace = options.speed;
  database_options.arm = height / 2;
  options.steer = job.steer.value_or(usual_steer) * std::numbers::pi / 180;
  options.stands = some_clip_stands(clips, height);
  options.still = travelling * height;
  if (path.length() / options.speed > longest_walk)
    throw input_error(job.plan.string() + ": \"points\" make a path of " + std::to_string(std::lround(path.length())) +
                      " m, which takes longer than an hour; shorten it.");

  report_or_stop(progress, "comparing poses", 0.2);
  std::vector<double> liveliness;
  for (const FramedClip& clip : clips) liveliness.push_back(liveliness_of(character.cloud, clip));
  const MotionDatabase database(character.body, clips, compared_points(character), liveliness, database_options);
  report.frames = database.frames();
  report.bytes = database.table().bytes();

  report_or_stop(progress, "walking", 0.4);
  MatchedWalk walk =
      match_path(character.body, clips, database, path, options,
                 unused_clip_name(source, job.name.empty() ? "match" : job.name), part_of(progress, 0.4, 0.8));
  if (walk.left > longest_rest * height)
    report.notes.push_back("the body does not get to the end of the path: " + metres(walk.left) + " are left.");

  report_or_stop(progress, "writing " + job.output.filename().string(), 0.8);
  measure_clips(character, clips, walk, report);
  measure_motion(character, clips, walk, walk.clip, report);
  if (character.has_legs) {
    // Feet are held unless that makes the motion rougher than the clips are.
    Clip held = walk.clip;
    report.feet = hold_feet_of(character.rigged(), job.frames_per_second, 0, held, farthest_held);
    MatchReport with_feet = report;
    measure_motion(character, clips, walk, held, with_feet);
    if (with_feet.jerk <= std::max(report.jerk, report.own_jerk)) {
      report = with_feet;
      walk.clip = std::move(held);
    } else if (report.feet) {
      report.feet->slide = report.feet->slide_before;
      report.notes.push_back("feet are not held, since that would make motion rougher than the clips are.");
    }
  }
  measure_path(character.body, walk, path, report);
  report.clip = walk.clip.name;
  report.seconds = walk.clip.end;
  write_with_clip(opened, std::move(walk.clip), job.output);
  return report;
}

}  // namespace sinew
