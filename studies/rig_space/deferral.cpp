#include "studies/rig_space/deferral.h"

#include "studies/rig_space/black_box.h"

namespace sinew {
namespace {

struct Run {
  FreeCurves curves;
  RigSpaceStatistics statistics;
};

Run take_steps(const RigSpaceCase& of, const DeferralOptions& options, const RigSpaceDynamics& dynamics) {
  BlackBox rig(*of.scene->rig);
  RigSpaceMotion motion(of.scene->body, rig, of.scene->free, dynamics);
  motion.reset(keyed_parameters(of, 0), keyed_parameters(of, options.step), options.step);
  Run run;
  for (int step = 1; step <= options.steps; ++step) {
    motion.advance(keyed_parameters(of, step * options.step), options.step);
    run.curves.seconds.push_back(step * options.step);
    run.curves.values.emplace_back(motion.free_values().begin(), motion.free_values().end());
  }
  run.statistics = motion.statistics();
  return run;
}

double per_step(std::int64_t count, int steps) { return static_cast<double>(count) / steps; }

}  // namespace

DeferralExperiment deferral_experiment(const RigSpaceCase& of, const DeferralOptions& options,
                                       const Progress& progress) {
  RigSpaceDynamics dynamics = undamped_dynamics(*of.scene);
  dynamics.interior = InteriorVertices::skinning;
  dynamics.deferred = false;
  const Run every = take_steps(of, options, dynamics);
  DeferralExperiment result{of.name, options.steps, per_step(every.statistics.rig_evaluations, options.steps), {}};
  dynamics.deferred = true;
  for (const double linearity : options.linearity)
    for (const bool predictor : {true, false}) {
      report_or_stop(progress, of.name + ", deferred Jacobians",
                     static_cast<double>(result.rows.size()) / static_cast<double>(2 * options.linearity.size()));
      dynamics.linearity = linearity;
      dynamics.predictor = predictor;
      const Run run = take_steps(of, options, dynamics);
      result.rows.push_back({linearity, predictor, run.statistics.jacobians, run.statistics.predicted_updates,
                             run.statistics.roll_backs, per_step(run.statistics.rig_evaluations, options.steps),
                             distance_between(of, every.curves, run.curves)});
    }
  return result;
}

}  // namespace sinew
