// The fit of Shi et al. 2008 (section 3, figure 5). Each iteration simulates, solves one small bounded least-squares
// problem per vertex as if each step began at that simulation's state (eq. 16), and moves a fraction of the way to its
// solution.
//
// It fits the paper's parameters only, and optionally delta; restoration is isotropic.
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

struct FitAlternatingOptions {
  int iterations = 500;
  double tolerance = 1e-4;  // epsilon: stop where |E_k - E_k-1| < epsilon E_0
  double step_ratio = 0;    // mu; 0: the paper's smallest, 1 / frames, but at most its largest, 0.1
  bool damping = true;      // fit delta; else zero
  double stiffest = 3.5;    // largest k + 2 c
  SurfaceErrorOptions error;
};

struct FitAlternatingResult {
  SurfaceError before, after;
  std::vector<double> error;  // E_k of every iteration
  bool converged = false;
};

// Starts at the model's parameters and ends with the best iterate. `proceed` receives the iteration and the error
// relative to the initial one, and returns whether to continue.
FitAlternatingResult fit_alternating(SurfaceModel& model, std::span<const SurfaceExample> examples,
                                     const FitAlternatingOptions& options,
                                     const std::function<bool(int iteration, double error)>& proceed = {});

// Fits parameters that explain every step of the examples best if it begins at the example's own state: the same
// least-squares problems with the example's states in place of the simulation's. Exact if a model of this kind made the
// example; otherwise an initial guess.
void fit_to_steps(SurfaceModel& model, std::span<const SurfaceExample> examples, const FitAlternatingOptions& options);

}  // namespace sinew
