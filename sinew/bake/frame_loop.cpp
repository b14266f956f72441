#include "sinew/bake/frame_loop.h"

#include <algorithm>

#include "sinew/bake/record_frames.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"

namespace sinew {
namespace {

void write(const FrameLoop& loop, const FrameWork& work, const BakeOptions& options, std::uint64_t fingerprint,
           const BakeResult& result) {
  Checkpoint state;
  state.fingerprint = fingerprint;
  state.steps_done = loop.steps;
  state.pass = loop.passes.looping ? loop.passes.done : -1 - loop.passes.done;
  state.frames_done = loop.frame;
  state.frames = result.report.frames;
  for (const PartRecording& part : result.recording.parts) state.displacement.push_back(part.displacement);
  work.save(state);
  write_checkpoint(options.checkpoint, state);
}

bool fits(const Checkpoint& state, const Recording& recording) {
  if (state.frames_done < 0 || state.frames.size() != static_cast<std::size_t>(state.frames_done) ||
      state.displacement.size() != recording.parts.size())
    return false;
  for (std::size_t p = 0; p < state.displacement.size(); ++p)
    if (state.displacement[p].size() != 3 * state.frames.size() * static_cast<std::size_t>(recording.parts[p].vertices)) return false;
  return true;
}

}  // namespace

double FrameLoop::beyond() const { return step > 0 ? std::clamp((elapsed() - due()) / step, 0.0, 1.0) : 0; }

FrameLoop frame_loop(const TimeLine& time, double step) {
  FrameLoop loop;
  loop.time = time;
  loop.step = step;
  loop.passes.looping = step > 0 && time.loop && time.length > 0;
  return loop;
}

void run_frames(FrameLoop& loop, const std::string& activity, const FrameWork& work, const BakeOptions& options,
                std::uint64_t fingerprint, const Progress& progress, BakeResult& result) {
  const bool keeps = work.save && !options.checkpoint.empty();
  Stopwatch since_checkpoint;
  while (loop.frame < loop.time.frames || loop.passes.looping) {
    // A pass may end a little after its last frame: the clip's end is no multiple of anything.
    if (loop.step > 0 && (loop.frame == loop.time.frames || loop.elapsed() < loop.due() - 1e-9 * loop.step)) {
      work.advance();
      continue;
    }
    work.record();
    ++loop.frame;
    const double done = static_cast<double>(loop.frame) / static_cast<double>(loop.time.frames);
    if (!report(progress, activity + " " + result.report.name, done)) {
      result.complete = loop.frame == loop.time.frames && !loop.passes.looping;
      if (keeps) write(loop, work, options, fingerprint, result);
      break;
    }
    if (keeps && since_checkpoint.seconds() > options.checkpoint_seconds) {
      write(loop, work, options, fingerprint, result);
      since_checkpoint.lap();
    }
  }
  set_times(loop.time, loop.frame, result.recording);
}

void end_pass(FrameLoop& loop, std::span<const Vec3> now, double height, BakeResult& result) {
  end_pass(now, height, loop.passes, result);
  loop.frame = 0;
}

std::optional<Checkpoint> resumed(FrameLoop& loop, const BakeOptions& options, std::uint64_t fingerprint, BakeResult& result) {
  if (!options.resume || options.checkpoint.empty() || !std::filesystem::exists(options.checkpoint)) return std::nullopt;
  Checkpoint state = read_checkpoint(options.checkpoint, fingerprint);
  if (!fits(state, result.recording))
    throw input_error(options.checkpoint.string() + ": the checkpoint records other parts; start again without --resume.");
  loop.steps = state.steps_done;
  loop.frame = state.frames_done;
  loop.passes.looping = state.pass >= 0;
  loop.passes.done = loop.passes.looping ? state.pass : -1 - state.pass;
  result.loop_passes = static_cast<int>(loop.passes.done);
  result.report.frames = std::move(state.frames);
  for (std::size_t p = 0; p < state.displacement.size(); ++p)
    result.recording.parts[p].displacement = std::move(state.displacement[p]);
  return state;
}

}  // namespace sinew
