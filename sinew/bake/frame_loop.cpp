#include "sinew/bake/frame_loop.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>

#include "sinew/bake/check_checkpoint.h"
#include "sinew/bake/record_frames.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"

namespace sinew {
namespace {

void write(const FrameLoop& loop, const FrameWork& work, const BakeOptions& options, std::uint64_t fingerprint,
           const BakeResult& result) {
  Checkpoint state;
  state.fingerprint = fingerprint;
  state.steps_done = loop.steps;
  state.frames_done = loop.frame;
  state.frames = result.report.frames;
  for (const PartRecording& part : result.recording.parts) state.displacement.push_back(part.displacement);
  work.save(state);
  write_checkpoint(options.checkpoint, state);
}

// Writes a run's checkpoints and keeps track of failures.
class Checkpoints {
 public:
  Checkpoints(const BakeOptions& options, std::uint64_t fingerprint) : options_(options), fingerprint_(fingerprint) {}

  void write_if_due(const FrameLoop& loop, const FrameWork& work, const BakeResult& result) {
    if (options_.checkpoint.empty() || since_last_.seconds() <= options_.checkpoint_seconds) return;
    try_to_write(loop, work, result);
    since_last_.lap();
  }

  // Returns false if it could not be written.
  bool try_to_write(const FrameLoop& loop, const FrameWork& work, const BakeResult& result) {
    if (options_.checkpoint.empty()) return false;
    try {
      write(loop, work, options_, fingerprint_, result);
      return true;
    } catch (const Error& error) {
      reason_ = error.what();
    } catch (const std::bad_alloc&) {
      reason_ = options_.checkpoint.string() + ": there is not enough memory for it.";
    }
    ++failures_;
    return false;
  }

  // Empty if all were written.
  void note_failures(BakeResult& result) const {
    if (failures_ == 0) return;
    const std::string times = failures_ == 1 ? "A checkpoint" : std::to_string(failures_) + " checkpoints";
    result.notes.push_back(result.report.name + ": " + times + " could not be written. " + reason_);
  }

 private:
  const BakeOptions& options_;
  std::uint64_t fingerprint_;
  Stopwatch since_last_;
  int failures_ = 0;
  std::string reason_;  // of the last failure
};

// Adds the clip time to errors of `work`; computed only then, since steps are short.
template <class Time>
void run_at(const Time& clip_time, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    // The run watch has already given the time, rounded.
    const std::string sentence = error.what();
    char when[40], rounded[40];
    std::snprintf(when, sizeof when, "at %.6g s: ", clip_time());
    std::snprintf(rounded, sizeof rounded, " at %.3g s: ", clip_time());
    throw simulation_error(sentence.find(rounded) != std::string::npos ? sentence : when + sentence);
  }
}

}  // namespace

void run_frames(FrameLoop& loop, const std::string& activity, const FrameWork& work, const BakeOptions& options,
                std::uint64_t fingerprint, const Progress& progress, BakeResult& result) {
  // A checkpoint holds the state at a frame's end; a run without one may stop between frames.
  std::optional<LoopsRunOn> whole_frames;
  if (!options.checkpoint.empty()) whole_frames.emplace();
  Checkpoints checkpoints(options, fingerprint);
  while (loop.frame < loop.time.frames) {
    if (loop.step > 0 && loop.elapsed() < loop.due() - 1e-9 * loop.step) {
      run_at([&] { return loop.clip_time(); }, work.advance);
      continue;
    }
    run_at([&] { return loop.frame_time(); }, work.record);
    ++loop.frame;
    const double done = static_cast<double>(loop.frame) / static_cast<double>(loop.time.frames);
    if (!report(progress, activity + " " + result.report.name, done)) {
      result.complete = loop.frame == loop.time.frames && !loop.runs_on();
      if (!result.complete) result.resumable = checkpoints.try_to_write(loop, work, result);
      break;
    }
    checkpoints.write_if_due(loop, work, result);
  }
  if (result.complete && loop.runs_on()) result.resumable = checkpoints.try_to_write(loop, work, result);
  checkpoints.note_failures(result);
  set_times(loop.time, loop.frame, result.recording);
}

FrameLoop at_last_frame(const FrameLoop& loop) {
  FrameLoop last = loop;
  --last.frame;
  return last;
}

std::optional<Checkpoint> resumed(FrameLoop& loop, const BakeOptions& options, std::uint64_t fingerprint,
                                  BakeResult& result) {
  if (!options.resume || options.checkpoint.empty() || !std::filesystem::exists(options.checkpoint))
    return std::nullopt;
  Checkpoint state = read_checkpoint(options.checkpoint, fingerprint);
  check_progress(state, loop, result.recording, options.checkpoint.string());
  loop.steps = state.steps_done;
  loop.frame = state.frames_done;
  result.report.frames = std::move(state.frames);
  for (std::size_t p = 0; p < state.displacement.size(); ++p)
    result.recording.parts[p].displacement = std::move(state.displacement[p]);
  return state;
}

}  // namespace sinew
