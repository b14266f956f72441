// The loop that every bake runs: steps until a frame is due, frames until the range is done, and a checkpoint now
// and then.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/checkpoint.h"
#include "sinew/bake/time_line.h"
#include "sinew/base/progress.h"

namespace sinew {

// How far a bake is.
struct FrameLoop {
  TimeLine time;
  double step = 0;  // seconds; 0: nothing is stepped, each frame stands for itself
  std::int64_t frame = 0, steps = 0;

  double elapsed(std::int64_t after_steps) const { return static_cast<double>(after_steps) * step - time.preroll; }
  double elapsed() const { return elapsed(steps); }  // seconds since the pre-roll's end
  double due() const { return time.frame_offset(frame); }
  double clip_time() const { return time.clip_time(elapsed()); }
  double frame_time() const {
    return time.begin + time.frame_offset(frame);
  }  // of the next frame, on the clip's time line
  // There is something left to do behind the last frame: closing the loop.
  bool runs_on() const { return step > 0 && time.loop && time.length > 0; }
};

struct FrameWork {
  std::function<void()> advance;          // a step; counts it
  std::function<void()> record;           // the frame that is due
  std::function<void(Checkpoint&)> save;  // the method's own state
};

// Runs to the last frame or until `progress` asks to stop, which leaves a checkpoint. What runs on leaves one behind
// the last frame too, and `result` is resumable until the caller is done. Fills in the recording's times. A checkpoint
// that cannot be written is a note of the result, and no reason to end: the next is tried in its time.
void run_frames(FrameLoop& loop, const std::string& activity, const FrameWork& work, const BakeOptions& options,
                std::uint64_t fingerprint, const Progress& progress, BakeResult& result);

// The checkpoint to go on from, where the options ask for that and it exists; its frames are taken over. Throws
// input_error where it is damaged, another run's, or its counts and times are none that this run comes by.
std::optional<Checkpoint> resumed(FrameLoop& loop, const BakeOptions& options, std::uint64_t fingerprint,
                                  BakeResult& result);

// A loop as it was when the last frame was recorded.
FrameLoop at_last_frame(const FrameLoop& loop);

}  // namespace sinew
