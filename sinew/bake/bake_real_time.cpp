#include "sinew/bake/bake_real_time.h"

#include "sinew/bake/clip_recorder.h"
#include "sinew/bake/record_frames.h"
#include "sinew/base/error.h"
#include "sinew/session/real_time.h"

namespace sinew {
namespace {

// Rounding tolerance, as a share of a frame.
constexpr double no_time = 1e-9;

void require_possible(const BakeOptions& options) {
  if (options.loop == Loop::on)
    throw usage_error("--real-time: plays the clip once and cannot close a loop; leave out either it or --loop.");
  if (!options.checkpoint.empty())
    throw usage_error("--real-time: cannot be resumed; leave out either it or --checkpoint.");
}

void add_report(const RealTimePlayer& player, double speed, ClipReport& clip) {
  const RealTimePace& pace = player.pace();
  RealTimeReport& report = clip.real_time.emplace();
  report.speed = speed;
  report.seconds = player.seconds();
  report.simulated_seconds = pace.simulated();
  int steps = 0;
  for (std::size_t k = 0; k < pace.steps().size(); ++k) {
    report.steps.push_back({pace.steps()[k], pace.steps_taken()[k]});
    steps += pace.steps_taken()[k];
  }
  if (report.seconds > 0) report.steps_per_second = steps / report.seconds;
  report.times_behind = pace.times_behind();
  report.seconds_behind = pace.seconds_behind();
  if (pace.simulated() > 0 && clip.steps_per_second > 0) clip.steps_per_second = steps / pace.simulated();
}

// Records the frames that the player has reached. Returns the total number recorded.
std::int64_t record_due(RealTimePlayer& player, ClipRecorder& recorder, std::int64_t frame) {
  const TimeLine& time = recorder.time();
  const double reached = player.elapsed() + no_time / time.frames_per_second;
  for (; frame < time.frames && time.frame_offset(frame) <= reached; ++frame) {
    const double offset = time.frame_offset(frame);
    recorder.record(offset, time.begin + offset).milliseconds = player.shown() * 1e3;
  }
  return frame;
}

}  // namespace

BakeResult bake_real_time(const Character& character, const Scene& scene, const RigAnimation* controls,
                          const BakeOptions& options, double speed, const WallClock& clock, const Progress& progress) {
  require_possible(options);
  ClipRecorder recorder(character, scene, controls, options);
  BakeResult& result = recorder.result();
  RealTimePlayer player(recorder.session(), speed, options.frames_per_second * speed, clock);
  const std::int64_t frames = recorder.time().frames;
  std::int64_t frame = 0;
  while (frame < frames && result.complete) {
    player.begin_cycle();
    frame = record_due(player, recorder, frame);
    while (frame < frames && player.step_is_due()) {
      player.step();
      recorder.note_step();
      frame = record_due(player, recorder, frame);
    }
    const double share = static_cast<double>(frame) / static_cast<double>(frames);
    result.complete = report(progress, "playing " + result.report.name, share) || frame == frames;
    player.end_cycle();
    if (frame < frames && result.complete) player.wait();
  }
  set_times(recorder.time(), frame, result.recording);
  add_report(player, speed, result.report);
  return recorder.finish();
}

}  // namespace sinew
