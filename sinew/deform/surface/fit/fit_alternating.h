// The fitting of Shi et al. 2008 (section 3, figure 5): simulate, solve one small bounded least-squares problem per
// vertex as if each of its steps began where that simulation was (eq. 16), go a part of the way there, and again.
//
// It knows the paper's parameters only, and delta where asked for; restoration is the same in all directions.
#pragma once

#include <functional>
#include <span>

#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

struct FitAlternatingOptions {
  int iterations = 500;
  double tolerance = 1e-4;  // epsilon: stop where |E_k - E_k-1| < epsilon E_0
  double step_ratio = 0;    // mu; 0: the paper's smallest, 1 / frames, but at most its largest, 0.1
  bool damping = true;      // delta; else zero
  double stiffest = 3.5;    // greatest k + 2 c
  SurfaceErrorOptions error;
};

struct FitAlternatingResult {
  SurfaceError before, after;
  std::vector<double> error;  // E_k of every iteration
  bool converged = false;
};

// From where the model stands; ends at the best iterate. `proceed` is told iteration and error, relative to that at the
// start, and says whether to go on.
FitAlternatingResult fit_alternating(SurfaceModel& model, std::span<const SurfaceExample> examples,
                                     const FitAlternatingOptions& options,
                                     const std::function<bool(int iteration, double error)>& proceed = {});

// Parameters that explain every step of the examples best if it begins where the example itself is: the same
// least-squares problems with the example's states in place of the simulation's. Exact where a model made the example;
// else a start for what follows.
void fit_to_steps(SurfaceModel& model, std::span<const SurfaceExample> examples, const FitAlternatingOptions& options);

}  // namespace sinew
