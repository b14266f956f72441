// Which moments of a clip a bake records.
#pragma once

#include <cstdint>

#include "sinew/bake/bake_options.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/session/playback.h"

namespace sinew {

// The range of clip time that is played, and the frames that are recorded of it.
struct TimeLine : PlayedRange {
  double frames_per_second = 30;
  std::int64_t frames = 1;  // over the range, both ends included

  // Of a frame after the range's begin, seconds.
  double frame_offset(std::int64_t frame) const { return static_cast<double>(frame) / frames_per_second; }
};

// Played once. Throws usage_error where the range ends before it begins, or frames per second are out of range.
TimeLine time_line(const Character& character, const BakeOptions& options, double preroll = 0);

// Null: the rest pose.
const Clip* clip_of(const Character& character, const BakeOptions& options);

// A result with the clip's name and empty parts with room for all frames, unless they are absurdly many.
BakeResult empty_result(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                        const TimeLine& time);

}  // namespace sinew
