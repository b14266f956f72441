// Cross-validation of the smoothness weight of a fit: a model is learned from some frames of the examples and tested on
// the others, to avoid overfitting (Shi et al. 2008, section 5, limitations; section 6, smoothness).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

struct SmoothnessTrial {
  double smoothness = 0;
  // remaining fraction of the goal's error (roots of sums of squares), on learned and unseen frames
  double learned = 0, unseen = 0;
};

struct CrossValidation {
  double smoothness = 0;                // smoothness of the trial with the least error on unseen frames
  std::vector<SmoothnessTrial> trials;  // ascending in smoothness
  bool complete = true;                 // false: stopped by `progress`
};

struct CrossValidationOptions {
  std::vector<double> smoothness = {0, 0.02, 0.1, 0.5, 2.5};  // values to try
  double block = 0.5;                                         // length of the blocks of frames, seconds
};

// Cuts every example into blocks of frames, learns from every other block and tests on the rest, and vice versa. All
// frames are simulated in both cases; weights select those that count. Uses fits by the gradient with `options`. Throws
// usage_error if no example is as long as two blocks.
CrossValidation choose_smoothness(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                                  const SurfaceFitOptions& options, const CrossValidationOptions& how = {},
                                  const Progress& progress = {});

}  // namespace sinew
