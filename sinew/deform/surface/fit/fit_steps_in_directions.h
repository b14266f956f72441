// Initial guess for fitting anisotropic restoration, from every step of the examples by itself.
#pragma once

#include <span>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

// Fits like fit_to_steps() (fit_alternating.h), with the six numbers of a symmetric matrix in place of alpha. The
// residual of a step that begins at the example's own state is linear in all ten numbers, so that a model that made the
// example is found exactly. Vertices whose solution is out of range (a negative eigenvalue, or a parameter outside its
// range) keep the values of `model`, isotropic if it had no shape.
void fit_to_steps_in_directions(SurfaceModel& model, std::span<const SurfaceExample> examples, bool damping,
                                double stiffest);

}  // namespace sinew
