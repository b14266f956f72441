#include "studies/rig_space/speed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "sinew/base/stopwatch.h"
#include "studies/rig_space/black_box.h"
#include "studies/rig_space/reference.h"

namespace sinew {
namespace {

struct TimedSetting {
  const char* name;
  InteriorVertices interior;
  bool deferred, predictor, black_box;
};

constexpr TimedSetting settings[] = {
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

// A method that is being timed: its row, and the durations of its steps.
struct Runner {
  SpeedRow row;
  int steps = 0;
  std::function<void(std::span<const double> p)> advance;
  std::function<void(Runner&)> note;  // after a step: curves, iterations
  std::function<void(Runner&)> finish;
  std::vector<double> seconds;
  FreeCurves curves;
};

class Runs {
 public:
  Runs(const RigSpaceCase& of, const SpeedOptions& options)
      : case_(of), options_(options), rig_(options.outside ? *options.outside : *of.scene->rig), black_box_(rig_) {}

  Runner reference() {
    return runner("reference", options_.reference_steps,
                  std::make_shared<RigSpaceReference>(case_.scene->body, black_box_, case_.scene->free),
                  [](auto&, SpeedRow&) {});
  }

  Runner fast(const TimedSetting& setting, int steps) {
    RigSpaceDynamics dynamics = undamped_dynamics(*case_.scene);
    dynamics.interior = setting.interior;
    dynamics.deferred = setting.deferred;
    dynamics.predictor = setting.predictor;
    return runner(setting.name, steps,
                  std::make_shared<RigSpaceMotion>(case_.scene->body, setting.black_box ? black_box_ : rig_,
                                                   case_.scene->free, dynamics),
                  [](RigSpaceMotion& method, SpeedRow& row) {
                    row.jacobians = method.statistics().jacobians;
                    row.roll_backs = method.statistics().roll_backs;
                  });
  }

  // Evaluates in one call, as differences do: every pose is different, with every free parameter changed.
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

  // The methods take steps in turns, so that disturbances of the machine affect all equally.
  void take_steps(std::vector<Runner>& runners, const Progress& progress) const {
    int steps = 0;
    for (const Runner& runner : runners) steps = std::max(steps, runner.steps);
    for (int step = 1; step <= steps; ++step) {
      const std::vector<double> p = keyed_parameters(case_, elapsed(step));
      for (Runner& runner : runners) {
        if (step > runner.steps) continue;
        Stopwatch watch;
        runner.advance(p);
        runner.seconds.push_back(watch.lap());
        runner.curves.seconds.push_back(elapsed(step));
        runner.note(runner);
      }
      report_or_stop(progress, case_.name + ", all methods in turns", static_cast<double>(step) / steps);
    }
    for (Runner& runner : runners) {
      runner.row.seconds_per_step = median(runner.seconds);
      runner.finish(runner);
    }
  }

 private:
  double elapsed(int step) const { return step * options_.step; }

  template <class Method, class Finish>
  Runner runner(const char* name, int steps, std::shared_ptr<Method> method, Finish finish) {
    Runner result;
    result.row.method = name;
    result.row.steps = result.steps = steps;
    method->reset(keyed_parameters(case_, 0), keyed_parameters(case_, elapsed(1)), options_.step);
    result.advance = [method, h = options_.step](std::span<const double> p) { method->advance(p, h); };
    result.note = [method](Runner& self) {
      self.row.iterations += method->statistics().iterations;
      self.curves.values.emplace_back(method->free_values().begin(), method->free_values().end());
    };
    result.finish = [method, finish](Runner& self) {
      self.row.iterations /= self.steps;
      self.row.rig_evaluations = static_cast<double>(method->statistics().rig_evaluations) / self.steps;
      finish(*method, self.row);
    };
    return result;
  }

  const RigSpaceCase& case_;
  const SpeedOptions& options_;
  Rig& rig_;
  BlackBox black_box_;
};

// Uses the steps that both took.
double speed_up(const Runner& reference, const Runner& runner) {
  const auto common = static_cast<std::ptrdiff_t>(std::min(reference.seconds.size(), runner.seconds.size()));
  return median({reference.seconds.begin(), reference.seconds.begin() + common}) /
         median({runner.seconds.begin(), runner.seconds.begin() + common});
}

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
  result.seconds_per_evaluation = runs.seconds_per_evaluation();
  std::vector<Runner> runners;
  const bool compared = options.reference_steps > 0;
  if (compared) runners.push_back(runs.reference());
  for (const TimedSetting& setting : settings) {
    const int steps = setting.interior == InteriorVertices::equilibrium ? options.equilibrium_steps : options.steps;
    if (steps > 0 && (!options.outside || setting.black_box)) runners.push_back(runs.fast(setting, steps));
  }
  runs.take_steps(runners, progress);
  for (Runner& runner : runners) {
    if (compared) runner.row.speed_up = speed_up(runners.front(), runner);
    runner.row.distance = distance_between(of, compared ? runners.front().curves : FreeCurves{}, runner.curves);
    result.rows.push_back(runner.row);
  }
  return result;
}

}  // namespace sinew
