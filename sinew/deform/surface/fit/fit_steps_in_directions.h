// A start for fitting restoration that differs between directions: every step of the examples taken by itself.
#pragma once

#include <span>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

// As fit_to_steps() (fit_alternating.h), with the six numbers of a symmetric matrix in alpha's place: where a step
// begins at the example's own state, what it leaves is linear in all ten, so that a model that made the example is
// found at once. Vertices whose least squares leave the ranges (a matrix with a negative eigenvalue, a parameter out of
// its own) keep what `model` has, in all directions alike where it had no shape.
void fit_to_steps_in_directions(SurfaceModel& model, std::span<const SurfaceExample> examples, bool damping,
                                double stiffest);

}  // namespace sinew
