// Reads and writes single frames of a recording.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/bake/time_line.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Appends a frame to each part. `displacement` is per surface vertex, metres, world axes.
void append_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, Recording& recording);

// Reads or replaces the displacements of a recorded frame; layout as above.
void read_frame(const SimulationSurface& surface, const Recording& recording, std::int64_t frame,
                std::span<Vec3> displacement);
void replace_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, std::int64_t frame,
                   Recording& recording);

// Fills in the times of the first `frames` frames of the time line.
void set_times(const TimeLine& time, std::int64_t frames, Recording& recording);

}  // namespace sinew
