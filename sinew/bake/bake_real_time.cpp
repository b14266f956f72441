#include "sinew/bake/bake_real_time.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/session/clip_environment.h"
#include "sinew/bake/flesh_frames.h"
#include "sinew/bake/held_notes.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/time_line.h"
#include "sinew/base/error.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/elastic/real_time_pace.h"

namespace sinew {
namespace {

// A frame that is due, not yet shown.
struct DueFrame {
  double offset = 0;  // seconds after the range's begin
  std::vector<Vec3> local;
};

void require_possible(const FleshScene& scene, const BakeOptions& options) {
  if (scene.lattice_steps.empty())
    throw usage_error("--real-time: only flesh in a control lattice has steps that change; use --lattice auto with it.");
  if (options.loop)
    throw usage_error("--real-time: a clip is played once, so that --loop has no pass to make cyclic; leave one of them out.");
  if (!options.checkpoint.empty())
    throw usage_error("--real-time: time that has passed cannot be resumed from a checkpoint; leave one of them out.");
}

std::vector<double> steps_of(const VariableStepFlesh& flesh) {
  std::vector<double> steps;
  for (std::size_t k = 0; k < flesh.steps(); ++k) steps.push_back(flesh.step_of(k));
  return steps;
}

RealTimeOptions pace_options(double speed, const BakeOptions& options) {
  RealTimeOptions result;
  result.speed = speed;
  result.display_rate = options.frames_per_second * speed;
  return result;
}

class RealTimeBake {
 public:
  RealTimeBake(const Character& character, const FleshScene& scene, const FleshSettings& settings,
               const BakeOptions& options, double speed, const WallClock& clock)
      : character_(character),
        scene_(scene),
        clip_(clip_of(character, options)),
        time_(time_line(character, options, settings.preroll)),
        flesh_(variable_step_flesh(scene.lattice_steps)),
        acting_{settings.ground, settings.colliders, settings.grabs, settings.belts, settings.pokes},
        environment_(character, scene.surface, acting_),
        frames_(character, scene, settings, clip_ ? clip_->name : "rest"),
        clock_(clock),
        speed_(speed),
        options_(options),
        result_(empty_result(character, scene.surface, options, time_)) {}

  BakeResult run(const Progress& progress) {
    start();
    const double begin = clock_.now();
    RealTimePace pace(steps_of(*flesh_), pace_options(speed_, options_), begin);
    double now = begin;
    while (shown_ < time_.frames) {
      pace.begin_round(now);
      round_start_ = now;
      while (due_ < time_.frames && pace.step_is_due()) {
        advance(pace);
        pace.stepped(clock_.now());
      }
      show(pace);
      if (!report(progress, "playing " + result_.report.name, static_cast<double>(shown_) / static_cast<double>(time_.frames))) {
        result_.complete = shown_ == time_.frames;
        break;
      }
      pace.end_round(clock_.now());
      if (pace.choice() != flesh_->choice()) flesh_->choose(pace.choice(), bones_at(elapsed(pace) - pace.step()));
      if (shown_ < time_.frames) clock_.wait_until(pace.next_round());
      now = clock_.now();
    }
    set_times(time_, shown_, result_.recording);
    report_pace(pace, now - begin);
    say_misfits(held_, scene_.height, result_);
    return std::move(result_);
  }

 private:
  // Seconds since the pre-roll's end.
  double elapsed(const RealTimePace& pace) const { return pace.simulated() - time_.preroll; }

  std::vector<Affine> bones_at(double elapsed) const {
    return bone_transforms(character_, scene_.surface, sample(character_.skeleton, clip_, time_.clip_time(elapsed)));
  }

  void start() {
    const std::vector<Affine> first = bones_at(-time_.preroll), second = bones_at(flesh_->step() - time_.preroll);
    flesh_->reset({-time_.preroll, first}, {flesh_->step() - time_.preroll, second});
    now_.assign(flesh_->local_displacements().begin(), flesh_->local_displacements().end());
    before_ = now_;
    collect_due_frames(-time_.preroll);
  }

  void advance(const RealTimePace& pace) {
    const double begin = elapsed(pace), end = pace.after_step() - time_.preroll;
    const std::vector<Affine> bones = bones_at(end);
    if (!environment_.empty()) set_environment(begin, end, bones);
    flesh_->advance({end, bones});
    frames_.note_step(bones);
    add_misfits(flesh_->misfits(), time_.clip_time(end), held_);
    iterations_ += flesh_->statistics().iterations;
    before_.swap(now_);
    now_.assign(flesh_->local_displacements().begin(), flesh_->local_displacements().end());
    collect_due_frames(end);
  }

  void set_environment(double begin, double end, const std::vector<Affine>& bones) {
    const double before = time_.clip_time(begin), now = time_.clip_time(end);
    const Pose pose_before = sample(character_.skeleton, clip_, before), pose_now = sample(character_.skeleton, clip_, now);
    const std::vector<Affine> bones_before = bones_at(begin);
    flesh_->set_environment(environment_.over({before, pose_before, bones_before}, {now, pose_now, bones}, flesh_->step()));
  }

  // Frames up to `elapsed`, which is where now_ is; before_ is a step earlier.
  void collect_due_frames(double elapsed) {
    for (; due_ < time_.frames; ++due_) {
      const double over = elapsed - time_.frame_offset(due_);
      if (over < -1e-9 * flesh_->step()) return;
      waiting_.push_back({time_.frame_offset(due_), between_steps(before_, now_, std::clamp(over / flesh_->step(), 0.0, 1.0))});
    }
  }

  void show(const RealTimePace& pace) {
    for (DueFrame& frame : waiting_) {
      const double clip_time = time_.clip_time(frame.offset);
      const Pose pose = sample(character_.skeleton, clip_, clip_time);
      const std::vector<Affine> bones = bone_transforms(character_, scene_.surface, pose);
      const BodyMeasures measures = flesh_->measure({elapsed(pace), bones});
      frames_.record({frame.offset, {clip_time, pose, bones}, measures}, environment_, frame.local, result_.recording);
      result_.report.frames.push_back({time_.begin + frame.offset, (clock_.now() - round_start_) * 1e3, iterations_, measures.energy,
                                       measures.volume_ratio, measures.min_det});
      iterations_ = 0;
      ++shown_;
    }
    waiting_.clear();
  }

  void report_pace(const RealTimePace& pace, double seconds) {
    RealTimeReport report;
    report.speed = speed_;
    report.seconds = seconds;
    report.simulated_seconds = pace.simulated();
    int steps = 0;
    for (std::size_t k = 0; k < flesh_->steps(); ++k) {
      report.steps.push_back({flesh_->step_of(k), pace.steps_taken()[k]});
      steps += pace.steps_taken()[k];
    }
    if (seconds > 0) report.steps_per_second = steps / seconds;
    report.times_behind = pace.times_behind();
    report.seconds_behind = pace.seconds_behind();
    if (pace.simulated() > 0) result_.report.steps_per_second = steps / pace.simulated();
    result_.report.real_time = report;
  }

  const Character& character_;
  const FleshScene& scene_;
  const Clip* clip_;
  TimeLine time_;
  std::unique_ptr<VariableStepFlesh> flesh_;
  ActingSettings acting_;
  ClipEnvironment environment_;
  FleshFrames frames_;
  const WallClock& clock_;
  double speed_;
  const BakeOptions& options_;
  std::vector<Vec3> before_, now_;  // local displacements one step apart
  std::vector<DueFrame> waiting_;
  std::int64_t due_ = 0, shown_ = 0;  // frames that the flesh has reached, and that were shown
  double round_start_ = 0;
  int iterations_ = 0;
  std::vector<HeldRecord> held_;
  BakeResult result_;
};

}  // namespace

BakeResult bake_real_time(const Character& character, const FleshScene& scene, const FleshSettings& settings,
                          const BakeOptions& options, double speed, const WallClock& clock, const Progress& progress) {
  require_possible(scene, options);
  return RealTimeBake(character, scene, settings, options, speed, clock).run(progress);
}

}  // namespace sinew
