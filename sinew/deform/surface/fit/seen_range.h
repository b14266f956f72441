// Display ranges of a model (SurfaceModel::range) from the offsets that examples show.
#pragma once

#include <span>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// Sets each vertex's range to `margin` times its largest distance from the goal in any frame that counts, at most the
// model's reach.
void set_seen_range(SurfaceModel& model, std::span<const SurfaceExample> examples, double margin);

// Chooses each vertex's range, up to that of set_seen_range(), that minimises the examples' error: if the model misses
// the moments of large offsets, smaller ones are closer on average. Ranges affect the output and not the steps, so that
// one simulation of the examples is enough.
void fit_range(SurfaceModel& model, std::span<const SurfaceExample> examples, double margin);

}  // namespace sinew
