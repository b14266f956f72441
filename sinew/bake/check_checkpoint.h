// Whether a checkpoint can be a state of the run that is to go on from it. A checksum that holds says that nothing was
// damaged, not that the numbers are those of a run.
#pragma once

#include <span>
#include <string>

#include "sinew/bake/checkpoint.h"
#include "sinew/bake/frame_loop.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

// Counts, times and frames: those that `loop` comes by, as it stands before its first step; `recording` has its parts,
// still empty. Throws input_error that names `file`.
void check_progress(const Checkpoint& state, const FrameLoop& loop, const Recording& recording,
                    const std::string& file);

// How far from the origin flesh can be while the skeleton plays the clip: a hundred heights, times what the clip scales
// by, beyond the farthest joint. Metres, world; `bones` of the body, null `clip` for the rest pose, `height` in metres.
double farthest_reach(const Character& character, std::span<const Bone> bones, const Clip* clip, const FrameLoop& loop,
                      double height);
constexpr double heights_beyond_goal = 100;

// Displacements no larger than `most` metres; else input_error that names `file`, vertex and frame.
void check_recording_within(const Recording& recording, double most, const std::string& file);

// The same parts, without frames.
Recording empty_copy(const Recording& recording);

// `again`: the recording's last frame, made anew from the state. Throws input_error that names `file` where it is
// another.
void check_last_frame(const Recording& recording, const Recording& again, const std::string& file);

// input_error: `what` is nothing that a run leaves.
Error forged_checkpoint(const std::string& file, const std::string& what);

}  // namespace sinew
