#include "sinew/bake/clip_recorder.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sinew/bake/accessory_motion.h"
#include "sinew/bake/come_to_rest.h"
#include "sinew/bake/posed_motion.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/skinned_recording.h"
#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

// Duration over which flesh comes to rest, as a share of its slowest oscillation and of a short clip.
constexpr double coming_to_rest = 0.5, most_coming_to_rest = 1.0 / 3;
constexpr double at_rest = 2e-4;  // of the height: flesh nearer than this is at rest
constexpr std::size_t frame_grain = 256;

WatchedRun watched_run(const Scene& scene, const DeformerTraits& traits, const std::string& clip) {
  WatchedRun run;
  run.clip = clip;
  run.height = scene.height;
  run.period = traits.period;
  run.least_energy = traits.least_energy;
  for (const int bone : traits.bone_of_point)
    run.state_joint.push_back(bone < 0 ? "" : scene.bones[static_cast<std::size_t>(bone)].name);
  return run;
}

}  // namespace

ClipRecorder::ClipRecorder(const Character& character, const Scene& scene, const RigAnimation* controls,
                           const BakeOptions& options)
    : character_(character),
      scene_(scene),
      clip_(clip_of(character, options)),
      time_(time_line(character, options, scene.preroll)),
      session_(character, scene, {clip_, controls, time_}),
      traits_(session_.traits()),
      watch_(character, *scene.surface, watched_run(scene, traits_, clip_ ? clip_->name : "rest")),
      goal_(scene.surface->rest.positions.size()),
      displacement_(goal_.size()),
      accessories_(options.accessories),
      rotations_(options.rotations),
      result_(empty_result(character, *scene.surface, options, time_)) {
  if (traits_.step > 0) result_.report.steps_per_second = 1 / traits_.step;
  report_cuts();
  result_.recording.posed = joints_posed_by(character, options.take, session_.is_free());
  session_.repeat(options.take);
}

// Cuts within the played range.
void ClipRecorder::report_cuts() {
  std::vector<Cut> played;
  for (const Cut& cut : session_.cuts())
    if (cut.begin < time_.begin + time_.length && cut.end > time_.begin) played.push_back(cut);
  if (played.empty()) return;
  for (const Cut& cut : played) result_.report.cuts.push_back({cut.begin, cut.end, cut.jump});
  result_.notes.push_back(describe_cuts("clip '" + clip_->name + "'", played));
}

void ClipRecorder::find_end(const BakeOptions& options) {
  const bool whole = clip_ && !options.begin && !options.end;
  if (traits_.step == 0 || time_.length <= 0 || options.loop == Loop::off) return;
  if (session_.is_free() && options.loop == Loop::on)
    throw usage_error("--loop on: a free body does not come back to where it began; leave it out.");
  if (!session_.falling().empty() && options.loop == Loop::on)
    throw usage_error("--loop on: a ball falls once, and not again with each cycle; leave it out.");
  if (session_.is_free() || !session_.falling().empty()) return;
  if (options.loop == Loop::automatic && (!whole || !options.take.empty())) return;
  ClipEnd end = end_by_motion();
  ClipEndReport& report = result_.report.end.emplace();
  if (options.loop == Loop::on) {
    end.ending = Ending::moving_on;
    end.why = "as was asked for";
  }
  report.why = end.why;
  switch (end.ending) {
    case Ending::moving_on:
      report.decided = "loops";
      loop_through(end.travel);
      break;
    case Ending::at_rest:
      report.decided = "comes to rest";
      // Loads may hold flesh elsewhere in its last pose.
      if (only_the_clip_acts()) comes_to_rest_ = end.travel.linear;
      break;
    case Ending::elsewhere:
      report.decided = "ends elsewhere";
      break;
  }
}

bool ClipRecorder::only_the_clip_acts() const {
  return session_.only_the_clip_acts(time_.begin, time_.begin + time_.length);
}

ClipEnd ClipRecorder::end_by_motion() {
  std::vector<std::vector<Vec3>> surface(static_cast<std::size_t>(sample_count_of_clip(time_.length)), goal_);
  const double between = time_.length / static_cast<double>(surface.size() - 1);
  Moment moment;
  for (std::size_t k = 0; k < surface.size(); ++k) {
    session_.driven_at(static_cast<double>(k) * between, moment);
    session_.goal(moment, surface[k]);
  }
  return clip_end(surface, between, scene_.may_travel());
}

void ClipRecorder::loop_through(const Affine& travel) {
  time_.loop = true;
  if (!session_.playback().controls)  // where controls are played, the bones are their pose
    loop_blend_ = make_loop_blend(scene_.bones, session_.driven_at(0).bones, session_.driven_at(time_.length).bones,
                                  travel, loop_blend_seconds(time_.length));
  session_.play({clip_, session_.playback().controls, time_, loop_blend_});
}

// Predicts the vertices' frames of a moment that is placed as in the first cycle, for a loop that moves bones.
void ClipRecorder::predict_frames_at(const Moment& moment) {
  if (loop_blend_.bones.empty()) return;
  predict_frames(skin_of(*scene_.surface), moment.bones, frames_);
}

// Returns a recorded frame in the vertices' own frames.
ClipRecorder::Change ClipRecorder::recorded(std::int64_t frame) {
  Change frame_itself{std::vector<Vec3>(goal_.size()), {}};
  std::vector<Vec3>& points = frame_itself.points;
  read_frame(*scene_.surface, result_.recording, frame, points);
  predict_frames_at(session_.moment_at(time_.frame_offset(frame)));
  if (!frames_.rotation.empty())
    parallel_for(points.size(), frame_grain,
                 [&](std::size_t v) { points[v] = transpose_times(frames_.rotation[v], points[v]); });
  const auto curves = curves_.begin() + frame * static_cast<std::ptrdiff_t>(traits_.curves.size());
  frame_itself.curves.assign(curves, curves + static_cast<std::ptrdiff_t>(traits_.curves.size()));
  return frame_itself;
}

ClipRecorder::Change ClipRecorder::change_to(std::int64_t other, std::int64_t frame) {
  Change change = recorded(other);
  const Change there = recorded(frame);
  for (std::size_t v = 0; v < change.points.size(); ++v) change.points[v] -= there.points[v];
  for (std::size_t i = 0; i < change.curves.size(); ++i) change.curves[i] -= there.curves[i];
  return change;
}

ClipRecorder::Change ClipRecorder::record_again(int cycle, std::int64_t frame) {
  const double elapsed = static_cast<double>(cycle) * time_.length + time_.frame_offset(frame);
  const Moment moment = session_.moment_at(elapsed);
  evaluate(moment);
  Mat3 carried;
  for (int k = 0; k < cycle; ++k) carried = loop_blend_.cycle.linear * carried;
  const Change before = recorded(frame);
  Change change{std::vector<Vec3>(goal_.size()), {}};
  for (Vec3& displacement : displacement_) displacement = transpose_times(carried, displacement);
  clamp_in_clip(moment);
  parallel_for(goal_.size(), frame_grain, [&](std::size_t v) {
    const Vec3 own =
        frames_.rotation.empty() ? displacement_[v] : transpose_times(frames_.rotation[v], displacement_[v]);
    change.points[v] = own - before.points[v];
  });
  replace_frame(*scene_.surface, displacement_, frame, result_.recording);
  replace_pose(character_.skeleton, moment.pose, static_cast<std::size_t>(frame), result_.recording.posed);
  FrameReport& report = result_.report.frames[static_cast<std::size_t>(frame)];
  const SafetyClamps clamps = session_.deformer().safety_clamps();
  report.strain_limit = clamps.strain_limit;
  report.display_limit = clamps.display_limit;
  std::vector<double> now(traits_.curves.size());
  if (!traits_.curves.empty()) session_.deformer().curves(session_.before(elapsed), now);
  for (std::size_t i = 0; i < now.size(); ++i) change.curves.push_back(now[i] - before.curves[i]);
  std::copy(now.begin(), now.end(), curves_.begin() + frame * static_cast<std::ptrdiff_t>(now.size()));
  return change;
}

void ClipRecorder::add(double share, const Change& change, std::int64_t frame) {
  const Moment moment = session_.moment_at(time_.frame_offset(frame));
  read_frame(*scene_.surface, result_.recording, frame, displacement_);
  predict_frames_at(moment);
  parallel_for(goal_.size(), frame_grain, [&](std::size_t v) {
    displacement_[v] += share * (frames_.rotation.empty() ? change.points[v] : frames_.rotation[v] * change.points[v]);
  });
  clamp_in_clip(moment);
  replace_frame(*scene_.surface, displacement_, frame, result_.recording);
  FrameReport& report = result_.report.frames[static_cast<std::size_t>(frame)];
  report.strain_limit = std::max(report.strain_limit, session_.deformer().safety_clamps().strain_limit);
  for (std::size_t i = 0; i < change.curves.size(); ++i)
    curves_[static_cast<std::size_t>(frame) * traits_.curves.size() + i] += share * change.curves[i];
}

void ClipRecorder::note_step() {
  const StepStatistics statistics = session_.deformer().statistics();
  if (!statistics.constraint_errors.empty())
    add_constraint_errors(statistics.constraint_errors, time_.clip_time(session_.elapsed()), held_);
  iterations_ += statistics.iterations;
  unfinished_ += statistics.unfinished ? 1 : 0;
  still_ = still_ && session_.still();
}

FrameReport& ClipRecorder::record(double elapsed, double time) {
  const Moment due = session_.moment_at(elapsed);
  if (traits_.step == 0) {
    session_.go_to(elapsed);
    iterations_ = session_.deformer().statistics().iterations;
  }
  BodyMeasures measures = session_.measure(due);
  evaluate(due);
  clamp_in_clip(due);
  check_plausibility(due, time, measures);
  append(due, result_.recording);
  append_curves(elapsed);
  if (rotations_) result_.rotations.add(due.clip_time, session_.deformer().element_rotations());
  const int iterations = std::exchange(iterations_, 0), unfinished = std::exchange(unfinished_, 0);
  const SafetyClamps clamps = session_.deformer().safety_clamps();
  return result_.report.frames.emplace_back(FrameReport{time, 0, iterations, measures.energy, measures.volume_ratio,
                                                        measures.min_det, clamps.strain_limit, clamps.display_limit,
                                                        unfinished});
}

void ClipRecorder::append_again(double elapsed, Recording& recording) {
  const Moment due = session_.moment_at(elapsed);
  evaluate(due);
  clamp_in_clip(due);
  append(due, recording);
}

BakeResult ClipRecorder::finish() {
  if (comes_to_rest_ && result_.complete)
    come_to_rest(*comes_to_rest_, std::min(coming_to_rest * traits_.period, most_coming_to_rest * time_.length),
                 at_rest * scene_.height, result_.recording, curves_);
  if (traits_.around_goal) add_goal_of_skinning(character_, *scene_.surface, result_.recording);
  report_constraint_errors(held_, scene_.height, result_);
  for (const Counter& counter : session_.deformer().statistics().counters)
    result_.report.counters.emplace_back(counter.name, counter.count);
  if (!traits_.curves.empty()) {
    RigCurves& curves = result_.curves.emplace();
    curves.clip = result_.recording.clip;
    curves.parameters = scene_.curves;
    curves.times = result_.recording.times;
    curves.values = std::move(curves_);
  } else if (accessories_ && result_.complete) {
    result_.recording.accessories = accessory_motions(character_, *scene_.surface, result_.recording, scene_.height);
  }
  return std::move(result_);
}

// Displayed displacement of the flesh.
void ClipRecorder::evaluate(const Moment& due) {
  session_.goal(due, goal_);
  session_.displacements(due, session_.before(due.elapsed), displacement_);
}

// In the blend of a loop, bones deviate from the clip's own pose, which is the one that the flesh is written for.
void ClipRecorder::clamp_in_clip(Moment moment) {
  if (loop_blend_.bones.empty()) return;
  bone_transforms(character_, scene_.bones, moment.pose, moment.bones);
  session_.clamp(moment, displacement_);
}

void ClipRecorder::check_plausibility(const Moment& due, double time, BodyMeasures& measures) {
  WatchedFrame frame;
  frame.time = time;
  frame.elapsed = due.elapsed;
  frame.displacement = displacement_;
  if (!traits_.bone_of_point.empty()) frame.state = session_.deformer().points();
  frame.driven = session_.driven_displacement(due);
  frame.stretch = stretch_of(scene_, due.bones, goal_);
  frame.bounded = scene_.clamps && scene_.clamps->bounded;
  // Loads may turn a body over for a while; the displayed surface decides.
  double ratio = measures.volume_ratio;
  if (!traits_.has_volume || ratio < 0) ratio = displayed_volume_ratio();
  if (!traits_.has_volume) measures.volume_ratio = ratio;
  if (!any_collapsed(due.bones)) frame.volume_ratio = ratio;
  frame.energy = measures.energy;
  frame.still = still_;
  watch_.look(frame);
  still_ = true;
}

double ClipRecorder::displayed_volume_ratio() const {
  std::vector<Vec3> displayed = displacement_;
  for (std::size_t v = 0; v < displayed.size(); ++v) displayed[v] += goal_[v];
  return enclosed_volume_ratio(scene_.surface->rest, goal_, displayed);
}

// Methods with absolute shapes are recorded relative to the rig with its default morph weights, part by part, because
// morph targets are added to that.
void ClipRecorder::append(const Moment& due, Recording& recording) {
  append_pose(character_.skeleton, due.pose, recording.posed);
  if (traits_.around_goal) return append_frame(*scene_.surface, displacement_, recording);
  std::vector<Vec3> surface(displacement_.size());
  session_.surface(due, session_.before(due.elapsed), surface);
  Pose pose = due.pose;
  for (const PartRecording& recorded : recording.parts) {
    const Part& part = character_.parts[static_cast<std::size_t>(recorded.part)];
    pose.morph_weights[static_cast<std::size_t>(part.joint)] = part.applied_weights;
  }
  for (std::size_t p = 0; p < recording.parts.size(); ++p) append_positions(p, pose, surface, recording.parts[p]);
}

void ClipRecorder::append_positions(std::size_t p, const Pose& pose, const std::vector<Vec3>& surface,
                                    PartRecording& recorded) const {
  const Part& part = character_.parts[static_cast<std::size_t>(recorded.part)];
  const std::vector<Vec3> rig = posed_positions(character_, part, pose);
  for (std::size_t v = 0; v < rig.size(); ++v) {
    const Vec3 d =
        surface[static_cast<std::size_t>(scene_.surface->vertex_of[p][v])] - rig[v] * character_.metres_per_unit;
    recorded.displacement.insert(recorded.displacement.end(),
                                 {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  }
}

void ClipRecorder::append_curves(double elapsed) {
  if (traits_.curves.empty()) return;
  const std::size_t begin = curves_.size();
  curves_.resize(begin + traits_.curves.size());
  session_.deformer().curves(session_.before(elapsed), std::span(curves_).subspan(begin));
}

}  // namespace sinew
