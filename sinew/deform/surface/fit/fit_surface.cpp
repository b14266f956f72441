#include "sinew/deform/surface/fit/fit_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/deform/surface/fit/fit_alone.h"
#include "sinew/deform/surface/fit/fit_alternating.h"
#include "sinew/deform/surface/fit/fit_steps_in_directions.h"
#include "sinew/deform/surface/fit/fit_together.h"
#include "sinew/deform/surface/fit/seen_range.h"
#include "sinew/deform/surface/fit/spread_parameters.h"
#include "sinew/deform/surface/fit/weak_directions.h"

namespace sinew {
namespace {

constexpr int gradient_iterations = 200, alternating_iterations = 500;
// Share of the time that goes into the stage in which vertices are alone.
constexpr double share_alone = 0.25;

void require_frames(std::span<const SurfaceExample> examples) {
  for (const SurfaceExample& example : examples)
    if (example.motion.bones.size() >= 2) return;
  throw usage_error("there is no example with two frames to learn from; name a longer clip or range.");
}

void bound(SurfaceModel& model, std::span<const SurfaceExample> examples, const SurfaceFitOptions& options) {
  model.range.clear();
  if (options.range_margin > 0) set_seen_range(model, examples, options.range_margin);
}

double share_of_error_left(const SurfaceError& error) {
  return error.goal_sum > 0 ? std::sqrt(error.sum / error.goal_sum) : 0;
}

std::string stage(const char* what, const SurfaceError& error) {
  char text[160];
  std::snprintf(text, sizeof(text), "%s: %.1f %% of the goal's error left", what, 100 * share_of_error_left(error));
  return text;
}

SurfaceError plain_error(const SurfaceModel& model, std::span<const SurfaceExample> examples) {
  return surface_error(model, examples, {});
}

// Parameters from which the last stage may begin.
struct Start {
  const char* name;
  std::vector<VertexParameters> parameters;
  std::vector<RestorationShape> shape;
  SurfaceError error;
};

Start start_of(const char* name, const SurfaceModel& model, std::span<const SurfaceExample> examples) {
  return {name, model.parameters, model.shape, plain_error(model, examples)};
}

FitAlternatingOptions alternating_options(const SurfaceFitOptions& options) {
  FitAlternatingOptions alternating;
  alternating.iterations = options.iterations > 0 ? options.iterations : alternating_iterations;
  alternating.tolerance = options.tolerance;
  alternating.step_ratio = options.step_ratio;
  alternating.damping = options.damping;
  alternating.error.velocity_weight = options.velocity_weight;
  return alternating;
}

// Reports the progress of an iteration; if the user stops, the fit is not complete.
auto proceed_with(const Progress& progress, int iterations, SurfaceFitResult& result) {
  return [&progress, &result, iterations](int iteration, double) {
    result.complete = report(progress, "fitting, iteration " + std::to_string(iteration),
                             static_cast<double>(iteration) / iterations);
    return result.complete;
  };
}

void run_alternating(SurfaceModel& model, std::span<const SurfaceExample> examples, const SurfaceFitOptions& options,
                     SurfaceFitResult& result, const Progress& progress) {
  const FitAlternatingOptions alternating = alternating_options(options);
  const FitAlternatingResult fit =
      fit_alternating(model, examples, alternating, proceed_with(progress, alternating.iterations, result));
  result.iterations = static_cast<int>(fit.error.size());
  result.converged = fit.converged;
}

void run_gradient(SurfaceModel& model, std::span<const SurfaceExample> examples, const SurfaceFitOptions& options,
                  SurfaceFitResult& result, const Progress& progress) {
  FitTogetherOptions together;
  together.iterations = options.iterations > 0 ? options.iterations : gradient_iterations;
  together.tolerance = options.tolerance;
  together.least_iterations = options.least_iterations;
  together.damping = options.damping;
  together.smoothness = options.smoothness;
  together.error.velocity_weight = options.velocity_weight;
  const FitTogetherResult fit =
      fit_together(model, examples, together, proceed_with(progress, together.iterations, result));
  result.iterations = fit.iterations;
  result.converged = fit.converged;
}

// Tries two initial guesses and takes the one nearer to the examples: every step beginning at the example, which is
// exact if a model of this kind made it, and vertices as if they were alone, which is robust for any flesh.
Start best_start(SurfaceModel& model, std::span<const SurfaceExample> examples, const SurfaceFitOptions& options,
                 const Progress& progress) {
  model.shape.clear();
  std::vector<Start> starts;
  // With ranges the states of the examples are unknown: offsets displayed near the range cannot be inverted.
  if (!(options.range_margin > 0)) {
    fit_to_steps(model, examples, alternating_options(options));
    starts.push_back(start_of("each step alone", model, examples));
    if (options.anisotropic) {
      fit_to_steps_in_directions(model, examples, options.damping, alternating_options(options).stiffest);
      starts.push_back(start_of("each step alone", model, examples));
    }
  }
  FitAloneOptions alone;
  alone.anisotropic = options.anisotropic;
  alone.damping = options.damping;
  alone.tolerance = options.alone_tolerance;
  fit_alone(model, examples, alone,
            [&](double done) { report_or_stop(progress, "fitting each vertex alone", share_alone * done); });
  spread_parameters(model, observed_motion(model, examples));
  if (options.range_margin > 0) fit_range(model, examples, options.range_margin);
  starts.push_back(start_of("each vertex alone", model, examples));
  return *std::min_element(starts.begin(), starts.end(),
                           [](const Start& a, const Start& b) { return a.error.sum < b.error.sum; });
}

void run(SurfaceModel& model, std::span<const SurfaceExample> examples, const SurfaceFitOptions& options,
         SurfaceFitResult& result, const Progress& progress) {
  // Between two reports the model may hold a trial of the line search. If the fit is stopped there, the result of the
  // last iteration is returned.
  std::vector<VertexParameters> parameters = model.parameters;
  std::vector<RestorationShape> shape = model.shape;
  const Progress keeping = [&](const ProgressReport& at) {
    parameters = model.parameters;
    shape = model.shape;
    return report(progress, at.activity, at.fraction);
  };
  try {
    if (options.scheme == FitScheme::alternating)
      run_alternating(model, examples, options, result, keeping);
    else
      run_gradient(model, examples, options, result, keeping);
  } catch (const Stopped&) {
    model.parameters = std::move(parameters);
    model.shape = std::move(shape);
    result.complete = false;
    return;
  }
  lift_weak_directions(model);
  if (options.range_margin > 0) fit_range(model, examples, options.range_margin);
  result.error = plain_error(model, examples);
  result.stages.push_back(stage("all together", result.error));
}

}  // namespace

SurfaceFitResult fit_surface(SurfaceModel& model, std::span<const SurfaceExample> examples,
                             const SurfaceFitOptions& options, const Progress& progress) {
  require_frames(examples);
  bound(model, examples, options);
  SurfaceFitResult result;
  if (options.scheme == FitScheme::alternating) {
    model.parameters.assign(model.rest.size(), {.alpha = 1});  // the paper's educated guess
    model.shape.clear();
    run(model, examples, options, result, progress);
    return result;
  }
  const Start start = best_start(model, examples, options, progress);
  model.parameters = start.parameters;
  model.shape = start.shape;
  if (options.anisotropic && model.shape.empty()) model.shape.assign(model.rest.size(), {});
  result.stages.push_back(stage(start.name, start.error));
  run(model, examples, options, result, part_of(progress, share_alone, 1));
  return result;
}

SurfaceFitResult continue_fit(SurfaceModel& model, std::span<const SurfaceExample> examples,
                              const SurfaceFitOptions& options, const Progress& progress) {
  require_frames(examples);
  bound(model, examples, options);
  SurfaceFitResult result;
  run(model, examples, options, result, progress);
  return result;
}

}  // namespace sinew
