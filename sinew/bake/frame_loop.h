// The main loop of a bake: steps until a frame is due, frames until the range is done, and periodic checkpoints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/checkpoint.h"
#include "sinew/bake/time_line.h"
#include "sinew/base/progress.h"

namespace sinew {

// Progress of a bake.
struct FrameLoop {
  TimeLine time;
  double step = 0;  // seconds; 0: no stepping, frames are independent of each other
  std::int64_t frame = 0, steps = 0;

  double elapsed(std::int64_t after_steps) const { return static_cast<double>(after_steps) * step - time.preroll; }
  double elapsed() const { return elapsed(steps); }  // seconds since the pre-roll's end
  double due() const { return time.frame_offset(frame); }
  double clip_time() const { return time.clip_time(elapsed()); }
  // Clip time of the next frame, seconds.
  double frame_time() const { return time.begin + time.frame_offset(frame); }
  // True if work remains after the last frame: closing the loop.
  bool runs_on() const { return step > 0 && time.loop && time.length > 0; }
};

struct FrameWork {
  std::function<void()> advance;          // makes a step
  std::function<void()> record;           // records the frame that is due
  std::function<void(Checkpoint&)> save;  // adds the method's own state
};

// Runs to the last frame, or until `progress` asks to stop, which leaves a checkpoint. If the loop must still be
// closed, a checkpoint is left after the last frame too, and `result` stays resumable until the caller is done. Fills
// in the recording's times. A checkpoint that cannot be written becomes a note of the result, and the next one is tried
// at its time.
void run_frames(FrameLoop& loop, const std::string& activity, const FrameWork& work, const BakeOptions& options,
                std::uint64_t fingerprint, const Progress& progress, BakeResult& result);

// Loads the checkpoint to continue from, with its frames, if the options ask for that and it exists. Throws input_error
// if it is damaged, belongs to another run, or has counts and times that this run cannot reach.
std::optional<Checkpoint> resumed(FrameLoop& loop, const BakeOptions& options, std::uint64_t fingerprint,
                                  BakeResult& result);

// State of the loop when the last frame was recorded.
FrameLoop at_last_frame(const FrameLoop& loop);

}  // namespace sinew
