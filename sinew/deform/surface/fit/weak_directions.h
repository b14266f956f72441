// Restoration that is all but nothing in one direction.
#pragma once

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

inline constexpr double least_restoration = 0.1;  // of a vertex's largest

// Lifts the eigenvalues of every vertex's restoration to that share of the largest; the others stay, and so does the
// largest, on which stability depends. An example that never pushes flesh in some direction, or pushes it there against
// a limit of its own, leaves it none, and another motion then throws it as far as the model's reach. Without shapes
// nothing happens.
void lift_weak_directions(SurfaceModel& model, double least = least_restoration);

}  // namespace sinew
