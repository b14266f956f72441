// The first stage of fitting: every vertex by itself, as a damped oscillator on its goal.
//
// Without neighbours and spokes a vertex is
//   u' = u + A (g - x) + delta (g' - g - u),   x' = x + u',
// A = alpha Q S Q^T, whose whole performance costs a few microseconds. That is cheap enough to search its parameters
// over their whole range: the error of a swing has a local minimum for every period by which it may be early or late,
// and what begins in the right one need not be lucky afterwards.
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

struct FitAloneOptions {
  bool anisotropic = true;  // A a matrix; else the paper's number
  bool damping = true;      // delta; else zero
  // How much of what the goal is off by a change of a root of the restoration by one has to explain: what an example
  // does not show stays alike in all directions.
  double caution = 0.1;
  double tolerance = 1e-7;  // share of the error that a round of refinement must gain for another one
  double stiffest = 3.5;    // greatest k + 2 c, below the 4 up to which steps are stable (docs/surface_dynamics.md)
};

// alpha and the shape from their product, rest space; without shapes alpha alone, from the trace.
void set_restoration(SurfaceModel& model, std::size_t vertex, const Mat3& stiffness);

// Sets alpha, delta and, where asked for, the shape of every vertex; the others to zero. `report` is told the share
// done and may throw.
void fit_alone(SurfaceModel& model, std::span<const SurfaceExample> examples, const FitAloneOptions& options,
               const std::function<void(double)>& report = {});

}  // namespace sinew
