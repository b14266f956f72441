// The first stage of fitting: each vertex by itself, as a damped oscillator around its goal.
//
// Without neighbours and spokes a vertex is
//   u' = u + A (g - x) + delta (g' - g - u),   x' = x + u',
// with A = alpha Q S Q^T. Simulating a whole performance costs a few microseconds, which is cheap enough to search the
// full range of parameters. The error of an oscillation has a local minimum for every period by which it may be early
// or late; this stage finds the right one for those that follow.
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

struct FitAloneOptions {
  bool anisotropic = true;  // A is a matrix; else the paper's number
  bool damping = true;      // fit delta; else zero
  // Regularisation towards isotropy: fraction of the goal's error that changing a root of the restoration by one must
  // explain. Directions that an example does not show stay like the others.
  double caution = 0.1;
  double tolerance = 1e-7;  // fraction of the error by which a round of refinement must improve for another one
  double stiffest = 3.5;    // largest k + 2 c; steps are stable up to 4 (docs/surface_dynamics.md)
};

// Sets alpha and the shape from their product, rest space; without shapes only alpha, from the trace.
void set_restoration(SurfaceModel& model, std::size_t vertex, const Mat3& stiffness);

// Sets alpha, delta and, if requested, the shape of every vertex, and the other parameters to zero. `report` receives
// the fraction done and may throw.
void fit_alone(SurfaceModel& model, std::span<const SurfaceExample> examples, const FitAloneOptions& options,
               const std::function<void(double)>& report = {});

}  // namespace sinew
