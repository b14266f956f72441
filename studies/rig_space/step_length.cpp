#include "studies/rig_space/step_length.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/deform/rig_space/adaptive_steps.h"

namespace sinew {
namespace {

// Advances by the longest step from `begin`; returns the number of steps taken.
using Advance = std::function<int(RigSpaceMotion& motion, double begin)>;

struct SteppedRun {
  FreeCurves curves;
  int steps = 0;
};

SteppedRun run(const RigSpaceCase& of, const StepLengthOptions& options, double first, bool deferred,
               const Advance& advance) {
  RigSpaceDynamics dynamics = of.scene->dynamics;
  dynamics.deferred = deferred;
  RigSpaceMotion motion(of.scene->body, *of.scene->rig, of.scene->free, dynamics);
  // All start with the same velocity.
  motion.reset(keyed_parameters(of, 0), keyed_parameters(of, first), first);
  SteppedRun result;
  const auto spans = static_cast<int>(std::lround(options.seconds / options.longest));
  for (int span = 0; span < spans; ++span) {
    result.steps += advance(motion, span * options.longest);
    result.curves.seconds.push_back((span + 1) * options.longest);
    result.curves.values.emplace_back(motion.free_values().begin(), motion.free_values().end());
  }
  return result;
}

Advance steps_of_one_length(const RigSpaceCase& of, double longest, int halvings) {
  return [&of, longest, count = 1 << halvings](RigSpaceMotion& motion, double begin) {
    const double h = longest / count;
    for (int k = 1; k <= count; ++k) motion.advance(keyed_parameters(of, begin + k * h), h);
    return count;
  };
}

Advance adaptive_steps(const RigSpaceCase& of, double longest, double tolerance) {
  AdaptiveSteps steps;
  steps.tolerance = tolerance;
  return [&of, longest, steps](RigSpaceMotion& motion, double begin) mutable {
    std::vector<double> work = keyed_parameters(of, begin);
    const auto key = [&](double seconds, std::span<double> p) {
      const std::vector<double> keyed = keyed_parameters(of, begin + seconds);
      std::copy(keyed.begin(), keyed.end(), p.begin());
    };
    advance_adaptively(motion, key, longest, work, steps);
    return steps.steps;
  };
}

}  // namespace

StepLengthExperiment step_length_experiment(const RigSpaceCase& of, const StepLengthOptions& options,
                                            const Progress& progress) {
  const double truth_step = options.longest / (1 << options.truth_halvings);
  StepLengthExperiment result{of.name, options.seconds, truth_step, {}};
  report_or_stop(progress, of.name + ", shortest steps", 0);
  const SteppedRun truth =
      run(of, options, truth_step, false, steps_of_one_length(of, options.longest, options.truth_halvings));
  const auto rows =
      static_cast<double>(2 * (static_cast<std::size_t>(options.halvings) + 1 + options.tolerances.size()));
  for (const bool deferred : {false, true}) {
    const auto add = [&](StepLengthRow row, const Advance& advance) {
      report_or_stop(progress, of.name + ", steps", static_cast<double>(result.rows.size()) / rows);
      const SteppedRun one = run(of, options, truth_step, deferred, advance);
      row.deferred = deferred;
      row.steps = one.steps;
      row.distance = distance_between(of, truth.curves, one.curves);
      result.rows.push_back(row);
    };
    for (int k = 0; k <= options.halvings; ++k)
      add({false, false, options.longest / (1 << k), 0, 0, {}}, steps_of_one_length(of, options.longest, k));
    for (const double tolerance : options.tolerances)
      add({false, true, 0, tolerance, 0, {}}, adaptive_steps(of, options.longest, tolerance));
  }
  return result;
}

}  // namespace sinew
