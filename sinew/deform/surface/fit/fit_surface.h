// Learning of a surface model's parameters from examples: choice of scheme and sequence of stages
// (docs/surface_dynamics.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

// `gradient`: every vertex alone, then all together by the adjoint gradient. `alternating`: figure 5 of the paper.
enum class FitScheme { gradient, alternating };

struct SurfaceFitOptions {
  FitScheme scheme = FitScheme::gradient;
  bool anisotropic = true;    // anisotropic restoration; gradient only
  bool damping = true;        // fit delta
  int iterations = 0;         // largest number of iterations; 0: 200 for `gradient`, 500 for `alternating`
  double tolerance = 1e-4;    // the paper's epsilon: fraction of the goal's error by which an iteration must lower E
  int least_iterations = 25;  // least number of iterations of `gradient`, whatever the tolerance
  double alone_tolerance = 1e-7;  // fraction of the error that a round must gain in the stage where vertices are alone
  double step_ratio = 0;          // the paper's mu; 0: chosen automatically
  double smoothness = 0.5;        // weight of differences between neighbours; gradient only
  double velocity_weight = 0;     // seconds: weight of velocities relative to positions
  // Multiplier of the largest offset from the goal that examples show at a vertex; the product becomes its display
  // range (SurfaceModel::range). 0: no range.
  double range_margin = 0;
};

struct SurfaceFitResult {
  SurfaceError error;               // error of the final model, without velocities
  std::vector<std::string> stages;  // descriptions of the stages
  int iterations = 0;
  bool converged = false;
  bool complete = true;  // false: stopped by `progress`; the model is the best found so far
};

// Sets parameters and shape of `model`. Throws usage_error if there is no example, or none with two frames.
SurfaceFitResult fit_surface(SurfaceModel& model, std::span<const SurfaceExample> examples,
                             const SurfaceFitOptions& options, const Progress& progress = {});

// Continues from the model's parameters, without the stage in which each vertex is alone; for fits that were stopped.
SurfaceFitResult continue_fit(SurfaceModel& model, std::span<const SurfaceExample> examples,
                              const SurfaceFitOptions& options, const Progress& progress = {});

}  // namespace sinew
