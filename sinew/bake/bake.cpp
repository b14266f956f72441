#include "sinew/bake/bake.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/held_notes.h"
#include "sinew/bake/record_frames.h"
#include "sinew/bake/run_watch.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/fingerprint.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/session/session.h"

namespace sinew {
namespace {

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

class Bake {
 public:
  Bake(const Character& character, const Scene& scene, const RigAnimation* controls, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        time_(time_line(character, options, scene.preroll)),
        session_(character, scene, {clip_, controls, time_}),
        traits_(session_.traits()),
        loop_(frame_loop(time_, traits_.step)),
        watch_(character, *scene.surface, watched_run(scene, traits_, clip_ ? clip_->name : "rest")),
        goal_(scene.surface->rest.positions.size()),
        displacement_(goal_.size()),
        result_(empty_result(character, *scene.surface, options, time_)) {
    if (traits_.step > 0) result_.report.steps_per_second = 1 / traits_.step;
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint();
  }

  BakeResult run(const Progress& progress) {
    session_.repeat(options_.take);
    loop_.passes.start.assign(points().begin(), points().end());
    if (const std::optional<Checkpoint> saved = resumed(loop_, options_, fingerprint_, result_)) load(*saved);
    frame_watch_.lap();
    const FrameWork work{[this] { advance(); }, [this] { record(); }, [this](Checkpoint& state) { save(state); }};
    run_frames(loop_, scene_.activity, work, options_, fingerprint_, progress, result_);
    say_misfits(held_, scene_.height, result_);
    result_.report.counters = session_.deformer().counters();
    if (traits_.curves > 0) {
      RigCurves& curves = result_.curves.emplace();
      curves.clip = options_.clip;
      curves.parameters = scene_.curves;
      curves.times = result_.recording.times;
      curves.values = std::move(curves_);
    }
    return std::move(result_);
  }

 private:
  std::span<const Vec3> points() const { return session_.deformer().points(); }

  void advance() {
    ++loop_.steps;
    session_.step();
    if (!session_.deformer().misfits().empty()) add_misfits(session_.deformer().misfits(), loop_.clip_time(), held_);
    iterations_ += session_.deformer().statistics().iterations;
    still_ = still_ && session_.still();
    if (!loop_.pass_is_over()) return;
    end_pass(loop_, points(), scene_.height, result_);
    curves_.clear();
  }

  void record() {
    const Moment due = session_.moment_at(loop_.due());
    if (traits_.step == 0) {
      session_.go_to(due.elapsed);
      iterations_ = session_.deformer().statistics().iterations;
    }
    BodyMeasures measures = session_.measure(due);
    show(loop_, due);
    keep_watch(due, measures);
    append(due, result_.recording);
    append_curves();
    result_.report.frames.push_back({loop_.frame_time(), frame_watch_.lap() * 1e3, iterations_, measures.energy,
                                     measures.volume_ratio, measures.min_det});
    iterations_ = 0;
  }

  // What is seen of the flesh at the frame that is due.
  void show(const FrameLoop& loop, const Moment& due) {
    session_.goal(due, goal_);
    session_.displacements(due, loop.beyond(), displacement_);
  }

  void keep_watch(const Moment& due, BodyMeasures& measures) {
    WatchedFrame frame;
    frame.time = loop_.frame_time();
    frame.elapsed = loop_.due();
    frame.displacement = displacement_;
    if (!traits_.bone_of_point.empty()) frame.state = points();
    frame.led = session_.led(due);
    frame.stretch = due.controls.empty() ? largest_stretch(due.bones)
                                         : std::max(1.0, extent(goal_) / extent(scene_.surface->rest.positions));
    frame.bounded = traits_.bounded;
    // A body may be turned over for a while by what throws it about; what counts is what is seen of it.
    double ratio = measures.volume_ratio;
    if (!traits_.has_volume || ratio < 0) ratio = shown_volume_ratio();
    if (!traits_.has_volume) measures.volume_ratio = ratio;
    if (!any_collapsed(due.bones)) frame.volume_ratio = ratio;
    frame.energy = measures.energy;
    frame.still = still_;
    watch_.look(frame);
    still_ = true;
  }

  double shown_volume_ratio() const {
    std::vector<Vec3> shown = displacement_;
    for (std::size_t v = 0; v < shown.size(); ++v) shown[v] += goal_[v];
    return enclosed_volume_ratio(scene_.surface->rest, goal_, shown);
  }

  // Methods with shapes of their own are recorded against the rig as the file has it, part by part.
  void append(const Moment& due, Recording& recording) {
    if (traits_.around_goal) return append_frame(*scene_.surface, displacement_, recording);
    std::vector<Vec3> surface(displacement_.size());
    session_.surface(due, loop_.beyond(), surface);
    Pose pose = due.pose;
    for (std::vector<double>& weights : pose.morph_weights) weights.assign(weights.size(), 0.0);
    for (std::size_t p = 0; p < recording.parts.size(); ++p) append_positions(p, pose, surface, recording.parts[p]);
  }

  void append_positions(std::size_t p, const Pose& pose, const std::vector<Vec3>& surface,
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

  void append_curves() {
    if (traits_.curves == 0) return;
    const std::size_t begin = curves_.size();
    curves_.resize(begin + traits_.curves);
    session_.deformer().curves(loop_.beyond(), std::span(curves_).subspan(begin));
  }

  std::uint64_t fingerprint() const {
    Fingerprint print;
    print.add(std::array{scene_.fingerprint});
    print.add(scene_.method);
    print.add_clip(clip_);
    print.add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, loop_.step,
                         loop_.time.preroll, character_.metres_per_unit, static_cast<double>(options_.clip),
                         options_.loop ? 1.0 : 0.0});
    for (const TimedAction& timed : options_.take) {
      const Action& action = timed.action;
      print.add(
          std::array{timed.elapsed, static_cast<double>(static_cast<int>(action.kind)), action.radius, action.seconds});
      print.add(std::array{action.point, action.force, action.target});
      print.add(action.name);
    }
    return print.value();
  }

  void save(Checkpoint& saved) const {
    const SessionState state = session_.save();
    saved.now = state.deformer;
    for (const ActiveGrab& grab : state.grabs) append_vectors(saved.hands, std::span(&grab.hand, 1));
    append_vectors(saved.pass_start, loop_.passes.start);
    saved.curves = curves_;
  }

  void load(const Checkpoint& saved) {
    const std::string file = options_.checkpoint.string();
    const double reach = farthest();
    check_recording_within(result_.recording, reach, file);
    try {
      SessionState state;
      state.steps = loop_.steps;
      state.shown = at_last_frame(loop_).due();
      state.deformer = saved.now;
      for (const Vec3& hand : SnapshotNumbers(saved.hands).vectors(saved.hands.size() / 3))
        state.grabs.emplace_back().hand = hand;
      session_.load(state, reach);
      loop_.passes.start = SnapshotNumbers(saved.pass_start).vectors(points().size());
      if (saved.pass_start.size() != 3 * loop_.passes.start.size()) throw forged_state("where its pass began");
      check_within(loop_.passes.start, 2 * reach, "where its flesh was");
      curves_ = saved.curves;
      session_.deformer().check_curves(curves_);
      if (curves_.size() != traits_.curves * static_cast<std::size_t>(loop_.frame))
        throw forged_state("its number of values");
    } catch (const Error& error) {
      throw Error(error.kind(), file + ": " + error.what());
    }
    if (traits_.step > 0) check_last_frame(result_.recording, last_frame_again(), file);
  }

  // How far from the origin flesh can be over the clip: metres.
  double farthest() {
    if (scene_.rest_controls.empty()) return farthest_reach(character_, scene_.bones, clip_, loop_, scene_.height);
    double reach = 0;
    FrameLoop at = loop_;
    for (at.frame = 0; at.frame < loop_.frame; ++at.frame) {
      session_.goal(session_.moment_at(at.due()), goal_);
      for (const Vec3& x : goal_) reach = std::max(reach, norm(x));
    }
    return reach + heights_beyond_goal * scene_.height;
  }

  Recording last_frame_again() {
    const FrameLoop last = at_last_frame(loop_);
    const Moment due = session_.moment_at(last.due());
    Recording again = empty_copy(result_.recording);
    show(last, due);
    append(due, again);
    return again;
  }

  const Character& character_;
  const Scene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  TimeLine time_;
  Session session_;
  const DeformerTraits& traits_;
  FrameLoop loop_;
  RunWatch watch_;
  std::vector<Vec3> goal_, displacement_;
  std::vector<double> curves_;
  std::vector<HeldRecord> held_;
  Stopwatch frame_watch_;
  int iterations_ = 0;
  bool still_ = true;  // since the last frame
  std::uint64_t fingerprint_ = 0;
  BakeResult result_;
};

}  // namespace

BakeResult bake(const Character& character, const Scene& scene, const RigAnimation* controls,
                const BakeOptions& options, const Progress& progress) {
  return Bake(character, scene, controls, options).run(progress);
}

}  // namespace sinew
