// The last stage of fitting: all parameters of all vertices at once, by the gradient of the error through the steps.
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

struct FitTogetherOptions {
  int iterations = 60;
  // The paper's epsilon: ends where an iteration, on the mean over the last few, lowers E by less than this share of
  // what the goal itself is off by.
  double tolerance = 1e-4;
  int least_iterations = 25;  // the first learn the curvature and gain little
  bool damping = true;        // delta; else zero
  double smoothness = 0;      // weight of differences between neighbours' parameters (docs/surface_dynamics.md)
  double stiffest = 3.5;      // greatest k + 2 c
  SurfaceErrorOptions error;
};

struct FitTogetherResult {
  SurfaceError before, after;
  int iterations = 0, evaluations = 0;
  bool converged = false;
};

// L-BFGS-B over alpha (or its matrix's lower Cholesky factor), beta, gamma, lambda and delta from where the model
// stands. `proceed` is told iteration and what is minimised, E as a share of the goal's own and smoothness, and says
// whether to go on.
FitTogetherResult fit_together(SurfaceModel& model, std::span<const SurfaceExample> examples,
                               const FitTogetherOptions& options,
                               const std::function<bool(int iteration, double error)>& proceed = {});

}  // namespace sinew
