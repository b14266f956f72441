#include "studies/rig_space/stiffness.h"

#include <cmath>

#include "sinew/base/glob.h"

namespace sinew {
namespace {

struct MeanSquare {
  double sum = 0, count = 0;
  void add(double v) { sum += v * v, ++count; }
  double root() const { return count > 0 ? std::sqrt(sum / count) : 0; }
};

}  // namespace

StiffnessExperiment stiffness_experiment(const std::vector<StiffnessRun>& runs, const std::string& controls, int steps,
                                         double step, const Progress& progress) {
  StiffnessExperiment result{runs.empty() ? "" : runs.front().of.name, controls, steps, {}};
  for (const StiffnessRun& run : runs) {
    const CookedRigSpace& scene = *run.of.scene;
    RigSpaceMotion motion(scene.body, *scene.rig, scene.free, scene.dynamics);
    motion.reset(keyed_parameters(run.of, 0), keyed_parameters(run.of, step), step);
    MeanSquare changed, others;
    for (int k = 1; k <= steps; ++k) {
      report_or_stop(progress, run.of.name + ", stiffness of controls", static_cast<double>(k) / steps);
      motion.advance(keyed_parameters(run.of, k * step), step);
      for (std::size_t i = 0; i < scene.free.size(); ++i) {
        const RigParameter& parameter = scene.rig->parameters()[static_cast<std::size_t>(scene.free[i])];
        if (parameter.unit != RigUnit::metres) continue;
        (matches(controls, parameter.control) ? changed : others).add(motion.free_values()[i] - parameter.rest);
      }
    }
    result.rows.push_back({run.factor, changed.root(), others.root()});
  }
  return result;
}

}  // namespace sinew
