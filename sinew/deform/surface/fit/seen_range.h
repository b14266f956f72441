// How far a model may show each vertex from its goal (SurfaceModel::range): no farther than examples did.
#pragma once

#include <span>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// `margin` times the farthest that a vertex is from its goal in any frame that counts, at most the model's reach.
void set_seen_range(SurfaceModel& model, std::span<const SurfaceExample> examples, double margin);

// Of ranges up to that one, for each vertex the one that leaves least of the examples' error: where the model does not
// know at which moment flesh is far out, less is nearer to it on the average. Ranges act on what is shown and not on
// the steps, so that one run through the examples is enough.
void fit_range(SurfaceModel& model, std::span<const SurfaceExample> examples, double margin);

}  // namespace sinew
