#include "sinew/bake/bake.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/clip_recorder.h"
#include "sinew/bake/come_to_rest.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/bake/loop_closing.h"
#include "sinew/bake/posed_motion.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/character/fingerprint.h"
#include "sinew/deform/snapshot_numbers.h"

namespace sinew {
namespace {

constexpr double loop_tolerance = 2e-4;  // of the height: frames that differ by less from the previous cycle are equal
constexpr int most_cycles = 24;          // beyond the first cycle
// A detected loop runs on for at least this many seconds, and this share of its length, before the remaining difference
// is faded out.
constexpr double least_run_on = 0.25, share_run_on = 1.0 / 3;
constexpr double short_of_a_frame = 1e-3;               // of a frame; key times are in single precision
constexpr double slowest_decay = 1, fastest_decay = 9;  // of that difference, 1/s
constexpr double fastest_angle = std::numbers::pi / 3;  // of that difference, radians per frame

// Connects a recorder to the frame loop and its checkpoints.
class Bake {
 public:
  Bake(const Character& character, const Scene& scene, const RigAnimation* controls, const BakeOptions& options)
      : character_(character),
        scene_(scene),
        options_(options),
        clip_(clip_of(character, options)),
        recorder_(character, scene, controls, options),
        session_(recorder_.session()),
        traits_(session_.traits()) {
    recorder_.find_end(options);
    loop_.time = recorder_.time();
    loop_.step = traits_.step;
    if (!options.checkpoint.empty()) fingerprint_ = fingerprint();
  }

  BakeResult run(const Progress& progress) {
    BakeResult& result = recorder_.result();
    if (const std::optional<Checkpoint> saved = resumed(loop_, options_, fingerprint_, result)) load(*saved);
    frame_watch_.lap();
    const FrameWork work{[this] { advance(); }, [this] { record(); }, [this](Checkpoint& state) { save(state); }};
    run_frames(loop_, scene_.activity, work, options_, fingerprint_, progress, result);
    if (result.complete && loop_.runs_on()) close_loop(progress);
    return recorder_.finish();
  }

 private:
  void advance() {
    ++loop_.steps;
    session_.step();
    recorder_.note_step();
  }

  // Runs further cycles until frames are known to repeat.
  void close_loop(const Progress& progress) {
    const TimeLine& time = loop_.time;
    std::optional<LoopsRunOn> whole_steps;  // while the run continues from the checkpoint after the last frame
    if (recorder_.result().resumable) whole_steps.emplace();
    LoopClosing closing(closing_limits());
    BakeResult& result = recorder_.result();
    for (int cycle = 1; cycle <= most_cycles; ++cycle)
      for (std::int64_t frame = 0; frame < time.frames; ++frame) {
        const double due = static_cast<double>(cycle) * time.length + time.frame_offset(frame);
        while (loop_.elapsed() < due - 1e-9 * loop_.step) advance();
        result.complete = report(progress, scene_.activity + " " + result.report.name, 1);
        if (!result.complete) return;
        ClipRecorder::Change change = recorder_.record_again(cycle, frame);
        if (closing.add(cycle, frame, std::move(change.points), std::move(change.curves))) return closed(closing);
      }
    if (only_the_clip_acts()) closing.give_up();
    closed(closing);
  }

  // Where other loads act, frames stay as they were simulated: a fade could move flesh into obstacles.
  bool only_the_clip_acts() const { return recorder_.only_the_clip_acts() && options_.take.empty(); }

  LoopClosing::Limits closing_limits() const {
    const TimeLine& time = loop_.time;
    const double fps = time.frames_per_second, a_frame = 1 / fps;
    LoopClosing::Limits limits{time.frames, time.length * fps, loop_tolerance * scene_.height};
    limits.window = std::clamp(traits_.period * fps / 4, 3.0, static_cast<double>(time.frames));
    if (options_.loop == Loop::automatic && only_the_clip_acts())
      limits.enough = std::max(share_run_on * time.length, least_run_on) * fps;
    limits.swing.slowest = {std::exp(-slowest_decay * a_frame),
                            std::min(2 * std::numbers::pi * a_frame / traits_.period, fastest_angle)};
    limits.swing.fastest = {std::exp(-fastest_decay * a_frame), fastest_angle};
    return limits;
  }

  void closed(const LoopClosing& closing) {
    recorder_.result().report.end->run_on = loop_.elapsed() - loop_.time.length;
    recorder_.result().resumable = false;
    if (closing.fades()) add_rounds_to_come(closing);
    if (only_the_clip_acts()) meet_first_frame();
  }

  void add_rounds_to_come(const LoopClosing& closing) {
    ClipRecorder::Change change{std::vector<Vec3>(scene_.surface->rest.positions.size()),
                                std::vector<double>(traits_.curves.size())};
    for (std::int64_t frame = 0; frame < loop_.time.frames; ++frame) {
      closing.due(frame, change.points, change.curves);
      recorder_.add(1, change, frame);
    }
  }

  // The last frame also covers the rest of the clip, up to its end.
  void meet_first_frame() {
    const TimeLine& time = loop_.time;
    const std::int64_t last = time.frames - 1;
    const double end = time.frame_offset(last), seconds = loop_blend_seconds(time.length);
    if (last < 1 || (time.length - end) * time.frames_per_second < short_of_a_frame) return;
    const ClipRecorder::Change change = recorder_.change_to(0, last);
    for (std::int64_t frame = 1; frame <= last; ++frame)
      if (const double share = share_before_end(time.frame_offset(frame), end, seconds); share > 0)
        recorder_.add(share, change, frame);
  }

  void record() { recorder_.record(loop_.due(), loop_.frame_time()).milliseconds = frame_watch_.lap() * 1e3; }

  std::uint64_t fingerprint() const {
    Fingerprint print;
    print.add(std::array{scene_.fingerprint});
    print.add(scene_.method);
    print.add_clip(clip_);
    print.add(std::array{loop_.time.begin, loop_.time.length, options_.frames_per_second, loop_.step,
                         loop_.time.preroll, character_.metres_per_unit, static_cast<double>(options_.clip),
                         static_cast<double>(options_.loop)});
    add_take(print, options_.take);
    return print.value();
  }

  void save(Checkpoint& saved) {
    const SessionState state = session_.save();
    saved.now = state.deformer;
    for (const ActiveGrab& grab : state.grabs) append_vectors(saved.hands, std::span(&grab.hand, 1));
    saved.curves = recorder_.curves();
    saved.posed = numbers_of(recorder_.result().recording.posed);
    saved.balls = state.balls;
    if (state.floating) saved.floating = FloatingFrame::numbers_of(*state.floating);
  }

  void load(const Checkpoint& saved) {
    const std::string file = options_.checkpoint.string();
    const double reach = farthest();
    // The bound allows for a jump across the whole range.
    check_recording_within(recorder_.result().recording, 2 * reach, file);
    try {
      SessionState state;
      state.steps = loop_.steps;
      state.displayed_time = at_last_frame(loop_).due();
      state.deformer = saved.now;
      for (const Vec3& hand : SnapshotNumbers(saved.hands).vectors(saved.hands.size() / 3))
        state.grabs.emplace_back().hand = hand;
      state.balls = saved.balls;
      if (session_.is_free()) state.floating = FloatingFrame::state_of(saved.floating);
      session_.load(state, reach);
      check_curves(traits_.curves, saved.curves);
      if (saved.curves.size() != traits_.curves.size() * static_cast<std::size_t>(loop_.frame))
        throw forged_state("its number of values");
      recorder_.curves() = saved.curves;
      set_numbers(saved.posed, static_cast<std::size_t>(loop_.frame), recorder_.result().recording.posed);
      if (options_.take.empty()) check_recording_within(recorder_.result().recording, farthest_shown(), file);
    } catch (const Error& error) {
      throw Error(error.kind(), file + ": " + error.what());
    }
    if (traits_.step > 0) check_last_frame(recorder_.result().recording, last_frame_again(), file);
  }

  // Largest possible distance of flesh from the origin over the clip, metres.
  double farthest() {
    constexpr double heights_beyond_goal = 100;
    double reach = 0, stretch = 1;
    each_finished_frame([&](const Moment&, const std::vector<Vec3>& goal, double by_rig) {
      for (const Vec3& x : goal) reach = std::max(reach, norm(x));
      stretch = std::max(stretch, by_rig);
    });
    // A free body may have fallen, which its goals do not show before its state is loaded.
    const double fallen = session_.is_free() ? norm(scene_.gravity) * loop_.elapsed() * loop_.elapsed() : 0;
    return reach + fallen + heights_beyond_goal * scene_.height * stretch;
  }

  // Largest displayed distance of flesh from the rig in the finished frames, metres, without dragging: the run watch's
  // bound, or several heights for methods whose flesh need not stay near the rig.
  double farthest_shown() {
    constexpr double heights_where_unbounded = 10;
    const bool bounded = scene_.clamps && scene_.clamps->bounded && traits_.around_goal;
    double most = 0;
    each_finished_frame([&](const Moment& due, const std::vector<Vec3>&, double stretch) {
      most = std::max(
          most, bounded ? farthest_from_rig(scene_.height, stretch, session_.driven_displacement(due))
                        : heights_where_unbounded * scene_.height * stretch + 2 * session_.driven_displacement(due));
    });
    return most;
  }

  // Calls visit(moment, goal, stretch of the rig).
  template <class Visit>
  void each_finished_frame(const Visit& visit) {
    std::vector<Vec3> goal(scene_.surface->rest.positions.size());
    FrameLoop at = loop_;
    for (at.frame = 0; at.frame < loop_.frame; ++at.frame) {
      const Moment due = session_.moment_at(at.due());
      session_.goal(due, goal);
      visit(due, goal, stretch_of(scene_, due.bones, goal));
    }
  }

  Recording last_frame_again() {
    Recording again = empty_copy(recorder_.result().recording);
    recorder_.append_again(at_last_frame(loop_).due(), again);
    return again;
  }

  const Character& character_;
  const Scene& scene_;
  const BakeOptions& options_;
  const Clip* clip_;
  ClipRecorder recorder_;
  Session& session_;
  const DeformerTraits& traits_;
  FrameLoop loop_;
  Stopwatch frame_watch_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace

BakeResult bake(const Character& character, const Scene& scene, const RigAnimation* controls,
                const BakeOptions& options, const Progress& progress) {
  return Bake(character, scene, controls, options).run(progress);
}

}  // namespace sinew
