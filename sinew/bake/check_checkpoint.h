// Checks that a checkpoint can be a state of the run that is to continue from it. A matching checksum shows only that
// no byte was damaged, not that a run wrote the numbers.
#pragma once

#include <string>

#include "sinew/bake/checkpoint.h"
#include "sinew/bake/frame_loop.h"

namespace sinew {

// Checks counts, times and frames. `loop` is in its state before the first step; `recording` has its parts, still
// empty. Throws input_error that names `file`.
void check_progress(const Checkpoint& state, const FrameLoop& loop, const Recording& recording,
                    const std::string& file);

// Throws input_error that names `file`, vertex and frame if a displacement is larger than `most` metres.
void check_recording_within(const Recording& recording, double most, const std::string& file);

// A recording with the same parts and no frames.
Recording empty_copy(const Recording& recording);

// Compares the recording's last frame with `again`, which was recomputed from the state. Throws input_error that names
// `file` if they differ.
void check_last_frame(const Recording& recording, const Recording& again, const std::string& file);

// The input_error for a state that no run can produce; `what` describes it.
Error forged_checkpoint(const std::string& file, const std::string& what);

}  // namespace sinew
