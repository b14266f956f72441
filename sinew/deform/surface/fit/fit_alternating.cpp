#include "sinew/deform/surface/fit/fit_alternating.h"

#include <algorithm>
#include <cmath>

#include "sinew/deform/surface/fit/stability.h"

namespace sinew {
namespace {

using Values = std::array<double, surface_parameters>;

constexpr double largest_step_ratio = 0.1;

double step_ratio(std::span<const SurfaceExample> examples, const FitAlternatingOptions& options) {
  if (options.step_ratio > 0) return options.step_ratio;
  std::size_t frames = 1;
  for (const SurfaceExample& example : examples) frames = std::max(frames, example.motion.bones.size());
  return std::min(largest_step_ratio, 1 / static_cast<double>(frames));
}

VertexParameters stable(const Values& values, double stiffest) {
  const VertexParameters p = to_parameters(values);
  return scaled(p, stable_share(stability_load(p), stiffest));
}

void solve(const SurfaceModel& model, SurfaceNormalEquations& equations, const FitAlternatingOptions& options,
           std::vector<Values>& best) {
  best.resize(model.rest.size());
  parallel_for(model.rest.size(), surface_grain, [&](std::size_t i) {
    if (!options.damping) equations[i].upper[4] = 0;
    best[i] = minimize(equations[i], to_array(model.parameters[i]));
  });
}

}  // namespace

FitAlternatingResult fit_alternating(SurfaceModel& model, std::span<const SurfaceExample> examples,
                                     const FitAlternatingOptions& options,
                                     const std::function<bool(int iteration, double error)>& proceed) {
  const double ratio = step_ratio(examples, options);
  FitAlternatingResult result;
  SurfaceNormalEquations equations;
  std::vector<Values> target;
  std::vector<VertexParameters> best = model.parameters;
  for (int k = 0; k < options.iterations; ++k) {
    const SurfaceError error = surface_error(model, examples, options.error, &equations);
    if (k == 0) result.before = result.after = error;
    if (error.sum <= result.after.sum) {
      result.after = error;
      best = model.parameters;
    }
    result.error.push_back(error.sum);
    const double start = result.error.front();
    if (!(start > 0) ||
        (k > 0 && std::abs(result.error[result.error.size() - 2] - error.sum) < options.tolerance * start)) {
      result.converged = true;
      break;
    }
    if (proceed && !proceed(k, error.sum / start)) break;
    solve(model, equations, options, target);
    for (std::size_t i = 0; i < model.rest.size(); ++i) {
      Values now = to_array(model.parameters[i]);
      for (std::size_t a = 0; a < surface_parameters; ++a) now[a] += ratio * (target[i][a] - now[a]);
      model.parameters[i] = stable(now, options.stiffest);
    }
  }
  model.parameters = std::move(best);
  return result;
}

void fit_to_steps(SurfaceModel& model, std::span<const SurfaceExample> examples, const FitAlternatingOptions& options) {
  SurfaceNormalEquations equations;
  std::vector<Values> target;
  equations_at_examples(model, examples, options.error, equations);
  solve(model, equations, options, target);
  for (std::size_t i = 0; i < model.rest.size(); ++i) model.parameters[i] = stable(target[i], options.stiffest);
}

}  // namespace sinew
