#include "sinew/bake/rig_space_proof/speed.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sinew/base/stopwatch.h"
#include "sinew/deform/rig_space/rig_space_reference.h"

namespace sinew {
namespace {

// Hides what a rig knows of itself.
class BlackBox : public Rig {
 public:
  explicit BlackBox(Rig& rig) : rig_(rig) {}
  const std::vector<RigParameter>& parameters() const override { return rig_.parameters(); }
  std::size_t vertices() const override { return rig_.vertices(); }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override { rig_.evaluate(p, s); }
  void evaluate_many(std::span<const double> p, std::span<Vec3> s) override { rig_.evaluate_many(p, s); }

 private:
  Rig& rig_;
};

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
    {"IV2, JE1, the rig's own derivatives", InteriorVertices::skinning, false, false, false},
    {"IV2, JE2, the rig's own derivatives", InteriorVertices::skinning, true, true, false},
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

using Curves = std::vector<std::vector<double>>;  // free parameters per step

class Runs {
 public:
  Runs(const RigSpaceCase& of, const SpeedOptions& options)
      : case_(of), options_(options), rig_(options.outside ? *options.outside : *of.scene->rig), black_box_(rig_) {}

  Curves reference(SpeedRow& row, const std::function<void(int)>& done) {
    row.method = "reference";
    Curves curves;
    std::vector<double> seconds;
    RigSpaceReference method(case_.scene->body, black_box_, case_.scene->free);
    take_steps(method, options_.reference_steps, row, seconds, curves, done);
    return curves;
  }

  Curves fast(SpeedRow& row, const Setting& setting, int steps, const std::function<void(int)>& done) {
    row.method = setting.name;
    RigSpaceDynamics dynamics = undamped_dynamics(*case_.scene);
    dynamics.interior = setting.interior;
    dynamics.deferred = setting.deferred;
    dynamics.predictor = setting.predictor;
    const int repetitions = setting.interior == InteriorVertices::skinning ? options_.repetitions : 1;
    Curves curves;
    std::vector<double> seconds;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      RigSpaceMotion method(case_.scene->body, setting.black_box ? black_box_ : rig_, case_.scene->free, dynamics);
      take_steps(method, steps, row, seconds, curves, done);
      row.jacobians = method.statistics().jacobians;
      row.roll_backs = method.statistics().roll_backs;
    }
    return curves;
  }

  void compare(const Curves& reference, const Curves& curves, SpeedRow& row) const {
    if (reference.empty()) {
      row.mean_distance = row.largest_distance = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    Rig& rig = *case_.scene->whole_rig;
    std::vector<Vec3> a(rig.vertices()), b(rig.vertices());
    double sum = 0;
    const std::size_t steps = std::min(reference.size(), curves.size());
    for (std::size_t k = 0; k < steps; ++k) {
      rig.evaluate(moved_parameters(case_, elapsed(static_cast<int>(k) + 1), reference[k]), a);
      rig.evaluate(moved_parameters(case_, elapsed(static_cast<int>(k) + 1), curves[k]), b);
      for (std::size_t v = 0; v < a.size(); ++v) {
        const double d = distance(a[v], b[v]) / case_.scene->height;
        sum += d;
        row.largest_distance = std::max(row.largest_distance, d);
      }
    }
    row.mean_distance = sum / static_cast<double>(steps * a.size());
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
  void take_steps(Method& method, int steps, SpeedRow& row, std::vector<double>& seconds, Curves& curves,
                  const std::function<void(int)>& done) const {
    seconds.resize(static_cast<std::size_t>(steps), HUGE_VAL);
    curves.clear();
    double iterations = 0;
    method.reset(keyed_parameters(case_, 0), keyed_parameters(case_, elapsed(1)), options_.step);
    for (int step = 1; step <= steps; ++step) {
      const std::vector<double> p = keyed_parameters(case_, elapsed(step));
      Stopwatch watch;
      method.advance(p, options_.step);
      double& least = seconds[static_cast<std::size_t>(step - 1)];
      least = std::min(least, watch.lap());
      iterations += method.statistics().iterations;
      curves.emplace_back(method.free_values().begin(), method.free_values().end());
      done(step);
    }
    row.steps = steps;
    row.iterations = iterations / steps;
    row.rig_evaluations = static_cast<double>(method.statistics().rig_evaluations) / steps;
    row.seconds_per_step = 0;
    for (const double s : seconds) row.seconds_per_step += s / steps;
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
  Curves reference;
  if (options.reference_steps > 0) {
    SpeedRow row;
    reference = runs.reference(row, note("reference", options.reference_steps));
    result.rows.push_back(row);
  }
  for (const Setting& setting : settings) {
    const int steps = setting.interior == InteriorVertices::equilibrium ? options.equilibrium_steps : options.steps;
    if (steps == 0 || (options.outside && !setting.black_box)) continue;
    SpeedRow row;
    const Curves curves = runs.fast(row, setting, steps, note(setting.name, steps));
    runs.compare(reference, curves, row);
    result.rows.push_back(row);
  }
  return result;
}

}  // namespace sinew
