#include "studies/rig_space/speed.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/stopwatch.h"
#include "studies/rig_space/black_box.h"
#include "studies/rig_space/reference.h"

namespace sinew {
namespace {

struct Setting {
  const char* name;
  InteriorVertices interior;
  bool deferred, predictor, black_box;
};

constexpr Setting settings[] = {
    {"IV1, JE1", InteriorVertices::equilibrium, false, false, true},
    {"IV1, JE2", InteriorVertices::equilibrium, true, true, true},
    {"IV2, JE1", InteriorVertices::skinning, false, false, true},
    {"IV2, JE2", InteriorVertices::skinning, true, true, true},
    {"IV2, JE2 without predictor", InteriorVertices::skinning, true, false, true},
    {"IV3, JE1", InteriorVertices::corrected, false, false, true},
    {"IV3, JE2", InteriorVertices::corrected, true, true, true},
    {"IV2, JE1, the rig's own derivatives", InteriorVertices::skinning, false, false, false},
    {"IV2, JE2, the rig's own derivatives", InteriorVertices::skinning, true, true, false},
    {"IV3, JE2, the rig's own derivatives", InteriorVertices::corrected, true, true, false},
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

class Runs {
 public:
  Runs(const RigSpaceCase& of, const SpeedOptions& options)
      : case_(of), options_(options), rig_(options.outside ? *options.outside : *of.scene->rig), black_box_(rig_) {}

  FreeCurves reference(SpeedRow& row, const std::function<void(int)>& done) {
    row.method = "reference";
    FreeCurves curves;
    std::vector<double> seconds;
    RigSpaceReference method(case_.scene->body, black_box_, case_.scene->free);
    take_steps(method, options_.reference_steps, row, seconds, curves, done);
    row.seconds_per_step = median(seconds);
    return curves;
  }

  FreeCurves fast(SpeedRow& row, const Setting& setting, int steps, const std::function<void(int)>& done) {
    row.method = setting.name;
    RigSpaceDynamics dynamics = undamped_dynamics(*case_.scene);
    dynamics.interior = setting.interior;
    dynamics.deferred = setting.deferred;
    dynamics.predictor = setting.predictor;
    const int repetitions = setting.interior == InteriorVertices::equilibrium ? 1 : options_.repetitions;
    FreeCurves curves;
    std::vector<double> seconds;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      RigSpaceMotion method(case_.scene->body, setting.black_box ? black_box_ : rig_, case_.scene->free, dynamics);
      take_steps(method, steps, row, seconds, curves, done);
      row.jacobians = method.statistics().jacobians;
      row.roll_backs = method.statistics().roll_backs;
    }
    row.seconds_per_step = repetitions > 1 ? mean(seconds) : median(seconds);
    return curves;
  }

  // In one go, as differences ask for them: every pose another, with every free parameter moved.
  double seconds_per_evaluation() {
    constexpr int repetitions = 15, together = 8;
    const std::size_t width = rig_.parameters().size();
    std::vector<Vec3> s(together * rig_.vertices());
    std::vector<double> seconds;
    for (int k = 0; k < repetitions; ++k) {
      std::vector<double> all;
      for (int i = 0; i < together; ++i) {
        std::vector<double> p = keyed_parameters(case_, elapsed(k));
        for (const int f : case_.scene->free) {
          const RigParameter& parameter = rig_.parameters()[static_cast<std::size_t>(f)];
          p[static_cast<std::size_t>(f)] += 1e-3 * (i + 1) * (parameter.upper - parameter.lower);
        }
        all.insert(all.end(), p.begin(), p.end());
      }
      Stopwatch watch;
      black_box_.evaluate_many(std::span<const double>(all).first(together * width), s);
      seconds.push_back(watch.lap() / together);
    }
    return median(std::move(seconds));
  }

 private:
  double elapsed(int step) const { return step * options_.step; }

  // `seconds`: per step, the least of this and of earlier repetitions, which took the same steps.
  template <class Method>
  void take_steps(Method& method, int steps, SpeedRow& row, std::vector<double>& seconds, FreeCurves& curves,
                  const std::function<void(int)>& done) const {
    seconds.resize(static_cast<std::size_t>(steps), HUGE_VAL);
    curves = {};
    double iterations = 0;
    method.reset(keyed_parameters(case_, 0), keyed_parameters(case_, elapsed(1)), options_.step);
    for (int step = 1; step <= steps; ++step) {
      const std::vector<double> p = keyed_parameters(case_, elapsed(step));
      Stopwatch watch;
      method.advance(p, options_.step);
      double& least = seconds[static_cast<std::size_t>(step - 1)];
      least = std::min(least, watch.lap());
      iterations += method.statistics().iterations;
      curves.seconds.push_back(elapsed(step));
      curves.values.emplace_back(method.free_values().begin(), method.free_values().end());
      done(step);
    }
    row.steps = steps;
    row.iterations = iterations / steps;
    row.rig_evaluations = static_cast<double>(method.statistics().rig_evaluations) / steps;
  }

  const RigSpaceCase& case_;
  const SpeedOptions& options_;
  Rig& rig_;
  BlackBox black_box_;
};

}  // namespace

SpeedExperiment speed_experiment(const RigSpaceCase& of, const SpeedOptions& options, const Progress& progress) {
  SpeedExperiment result;
  const RigSpaceBody& body = *of.scene->body;
  result.name = of.name;
  result.parameters = of.scene->free.size();
  result.boundary = body.boundary_vertices();
  result.interior = body.interior_vertices();
  result.tetrahedra = body.mesh.tetrahedra.size();
  Runs runs(of, options);
  const auto note = [&](const std::string& method, int steps) {
    return [&progress, &of, method, steps](int done) {
      report_or_stop(progress, of.name + ", " + method, static_cast<double>(done) / steps);
    };
  };
  result.seconds_per_evaluation = runs.seconds_per_evaluation();
  FreeCurves reference;
  if (options.reference_steps > 0) {
    SpeedRow row;
    reference = runs.reference(row, note("reference", options.reference_steps));
    result.rows.push_back(row);
  }
  for (const Setting& setting : settings) {
    const int steps = setting.interior == InteriorVertices::equilibrium ? options.equilibrium_steps : options.steps;
    if (steps == 0 || (options.outside && !setting.black_box)) continue;
    SpeedRow row;
    const FreeCurves curves = runs.fast(row, setting, steps, note(setting.name, steps));
    row.distance = distance_between(of, reference, curves);
    result.rows.push_back(row);
  }
  return result;
}

}  // namespace sinew
