// The moments of a clip that a bake records.
#pragma once

#include <cstdint>

#include "sinew/bake/bake_options.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/session/playback.h"

namespace sinew {

// The played range of clip time and its recorded frames.
struct TimeLine : PlayedRange {
  double frames_per_second = 30;
  std::int64_t frames = 1;  // over the range, including both ends

  // Time of a frame, seconds from the beginning of the range.
  double frame_offset(std::int64_t frame) const { return static_cast<double>(frame) / frames_per_second; }
};

// The time line of a single pass over the range. Throws usage_error if the range ends before it begins, or if the frame
// rate is out of range.
TimeLine time_line(const Character& character, const BakeOptions& options, double preroll = 0);

// The clip of the options; null for the rest pose.
const Clip* clip_of(const Character& character, const BakeOptions& options);

// A result with the clip's name and empty parts, which have memory reserved for all frames unless there are absurdly
// many.
BakeResult empty_result(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                        const TimeLine& time);

}  // namespace sinew
