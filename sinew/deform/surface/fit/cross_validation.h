// How much smoothing a fit needs, found by examples themselves: what a model learns from some of their frames is tried
// on the others. Against learning by heart (Shi et al. 2008, section 5, limitations; section 6, smoothness).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

struct SmoothnessTrial {
  double smoothness = 0;
  double learned = 0, unseen = 0;  // shares of the goal's error that are left, of roots of sums of squares
};

struct CrossValidation {
  double smoothness = 0;                // of the trial with the least error on unseen frames
  std::vector<SmoothnessTrial> trials;  // rising
  bool complete = true;                 // false: stopped by `progress`
};

struct CrossValidationOptions {
  std::vector<double> smoothness = {0, 0.02, 0.1, 0.5, 2.5};  // to be tried
  double block = 0.5;                                         // seconds: frames of one example that are kept together
};

// Cuts every example into blocks of frames, learns from every other one and tries what was learned on the rest, then
// the other way round. All frames are simulated in both; weights say which of them count. Fits of `options` by the
// gradient. Throws usage_error where no example is as long as two blocks.
CrossValidation choose_smoothness(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                                  const SurfaceFitOptions& options, const CrossValidationOptions& how = {},
                                  const Progress& progress = {});

}  // namespace sinew
