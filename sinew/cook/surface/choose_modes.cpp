#include "sinew/cook/surface/choose_modes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sinew/cook/surface/body_modes.h"
#include "sinew/deform/surface/fit/fit_modes.h"

namespace sinew {
namespace {

constexpr int candidates_per_mode = 4, more_candidates = 12;  // candidates that modes are chosen from
constexpr double highest_mode = 0.2;                          // share of the steps per second
constexpr int trial_iterations = 5;
constexpr double least_gain = 0.9;  // largest share of the error without modes that justifies modes

std::string mode_note(const SurfaceModel& model, const ModeFit& fit) {
  std::string note = std::to_string(model.modes.size()) + " modes of the body:";
  char text[96];
  for (std::size_t k = 0; k < model.modes.size(); ++k) {
    std::snprintf(text, sizeof text, " %.2f Hz (damping ratio %.3f, gain %.2f),", model.modes[k].frequency,
                  model.modes[k].damping_ratio, fit.gain[k]);
    note += text;
  }
  std::snprintf(text, sizeof text, " which leave %.1f %% of the goal's error.",
                100 * std::sqrt(std::max(0.0, 1 - fit.removed)));
  return note + text;
}

double trial_error(SurfaceModel model, std::span<const SurfaceExample> examples, SurfaceFitOptions options,
                   const Progress& progress) {
  options.iterations = trial_iterations;
  const SurfaceFitResult trial = fit_surface(model, examples, options, progress);
  if (!trial.complete) throw Stopped();
  return trial.error.sum;
}

}  // namespace

std::string choose_modes(const CookedFlesh& flesh, const ModeOptions& options, SurfaceModel& model,
                         std::vector<SurfaceExample>& examples, const Progress& progress) {
  ModeFit fit = fit_modes(
      model, body_modes(flesh, candidates_per_mode * options.most + more_candidates, highest_mode / model.step),
      examples, static_cast<std::size_t>(options.most));
  SurfaceModel with_modes = model;
  with_modes.modes = std::move(fit.modes);
  with_modes.mode_coupling = with_modes.modes.empty() ? 0 : options.coupling;
  std::vector<SurfaceExample> left = examples;
  for (SurfaceExample& example : left) take_modes(with_modes, example);
  const double without = trial_error(model, examples, options.fit, part_of(progress, 0, 0.5));
  const double with = trial_error(with_modes, left, options.fit, part_of(progress, 0.5, 1));
  const bool helps = !with_modes.modes.empty() && with < least_gain * least_gain * without;
  const std::string note = mode_note(with_modes, fit);
  if (!helps) return note + " The surface alone comes as near to the examples: they are left out.";
  model.modes = std::move(with_modes.modes);
  model.mode_coupling = with_modes.mode_coupling;
  examples = std::move(left);
  return note;
}

}  // namespace sinew
