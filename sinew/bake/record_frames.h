// Frames of a bake: displacements between two steps, and their place in the recording.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/bake/time_line.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Displacements `share` of a step before `now`: 0 there, 1 at `before`.
std::vector<Vec3> between_steps(std::span<const Vec3> before, std::span<const Vec3> now, double share);

// Appends a frame to each part: `displacement` per vertex of the surface, metres, world axes.
void append_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, Recording& recording);

// Of the first `frames` of the time line.
void set_times(const TimeLine& time, std::int64_t frames, Recording& recording);

}  // namespace sinew
