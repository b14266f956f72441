// Learning a surface model's parameters from examples: which scheme, in which stages (docs/surface_dynamics.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/deform/surface/fit/surface_error.h"

namespace sinew {

// `gradient`: every vertex alone, then all together by the adjoint. `alternating`: figure 5 of the paper.
enum class FitScheme { gradient, alternating };

struct SurfaceFitOptions {
  FitScheme scheme = FitScheme::gradient;
  bool anisotropic = true;    // restoration as a matrix; gradient only
  bool damping = true;        // delta
  int iterations = 0;         // 0: 200 of the gradient, 500 of the alternating scheme
  double tolerance = 1e-4;    // the paper's epsilon: the share of the goal's error by which an iteration must lower E
  int least_iterations = 25;  // of the gradient, whatever the tolerance
  double alone_tolerance = 1e-7;  // of the stage in which vertices are alone: share of the error that a round must gain
  double step_ratio = 0;          // the paper's mu; 0: chosen
  double smoothness = 0.5;        // of the gradient: weight of differences between neighbours
  double velocity_weight = 0;     // seconds: of velocities beside positions
  // Every vertex is shown less than this times as far from its goal as examples show it (SurfaceModel::range); 0: no
  // bound.
  double range_margin = 0;
};

struct SurfaceFitResult {
  SurfaceError error;               // of the model as it is now, without velocities
  std::vector<std::string> stages;  // what was done, for people
  int iterations = 0;
  bool converged = false;
  bool complete = true;  // false: stopped by `progress`, at the best that was reached
};

// Sets parameters and shape of `model`. Throws usage_error where there is no example, or none with two frames.
SurfaceFitResult fit_surface(SurfaceModel& model, std::span<const SurfaceExample> examples,
                             const SurfaceFitOptions& options, const Progress& progress = {});

// From where the model stands, without the stage in which each vertex is alone: what goes on where a fit was stopped.
SurfaceFitResult continue_fit(SurfaceModel& model, std::span<const SurfaceExample> examples,
                              const SurfaceFitOptions& options, const Progress& progress = {});

}  // namespace sinew
