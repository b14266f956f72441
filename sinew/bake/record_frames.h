// Frames of a bake: their place in the recording.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/bake/time_line.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Appends a frame to each part: `displacement` per vertex of the surface, metres, world axes.
void append_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, Recording& recording);

// The displacements of a frame that was recorded, and others in their place: as above.
void read_frame(const SimulationSurface& surface, const Recording& recording, std::int64_t frame,
                std::span<Vec3> displacement);
void replace_frame(const SimulationSurface& surface, std::span<const Vec3> displacement, std::int64_t frame,
                   Recording& recording);

// Of the first `frames` of the time line.
void set_times(const TimeLine& time, std::int64_t frames, Recording& recording);

}  // namespace sinew
