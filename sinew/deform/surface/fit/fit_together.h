// The last stage of fitting: all parameters of all vertices together, by the gradient of the error through the
// simulated steps.
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

struct FitTogetherOptions {
  int iterations = 60;
  // The paper's epsilon: stops when iterations, averaged over the last few, lower E by less than this fraction of the
  // goal's own error.
  double tolerance = 1e-4;
  int least_iterations = 25;  // the first iterations learn the curvature and gain little
  bool damping = true;        // fit delta; else zero
  double smoothness = 0;      // weight of differences between neighbours' parameters (docs/surface_dynamics.md)
  double stiffest = 3.5;      // largest k + 2 c
  SurfaceErrorOptions error;
};

struct FitTogetherResult {
  SurfaceError before, after;
  int iterations = 0, evaluations = 0;
  bool converged = false;
};

// Minimises by L-BFGS-B over alpha (or its matrix's lower Cholesky factor), beta, gamma, lambda and delta, starting at
// the model's parameters. `proceed` receives the iteration and the objective, E as a fraction of the goal's own plus
// smoothness, and returns whether to continue.
FitTogetherResult fit_together(SurfaceModel& model, std::span<const SurfaceExample> examples,
                               const FitTogetherOptions& options,
                               const std::function<bool(int iteration, double error)>& proceed = {});

}  // namespace sinew
