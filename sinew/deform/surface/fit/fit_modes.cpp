#include "sinew/deform/surface/fit/fit_modes.h"

#include <algorithm>
#include <array>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/surface/fit/example_frames.h"
#include "sinew/deform/surface/fit/surface_error.h"
#include "sinew/deform/surface/surface_modes.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr std::array<double, 12> damping_ratios = {0.02, 0.04, 0.06, 0.09, 0.12, 0.16, 0.2, 0.26, 0.34, 0.45, 0.6, 0.8};
constexpr double least_share = 1e-3;  // of the goal's squared error that a mode must take
constexpr std::array<double, 4> refinements = {0.25, 0.1, 0.04, 0.015};  // of damping ratios
constexpr int most_refinements = 6;                                      // of one number in one direction in a round
constexpr double most_detuned = 1.15;  // a frequency against the body's own: examples stiffen and soften flesh
constexpr double largest_gain = 3;

// Data of one example for choosing modes: the projection of its offsets, in the bones' frames, on each candidate, and
// the excitation of each.
struct Shown {
  std::vector<std::vector<double>> projection;  // per frame and candidate: sum_i phi(i) . L_i^T offset_i
  std::vector<std::vector<double>> force;       // per candidate and frame: m/s^2
};

Shown shown_by(const SurfaceModel& model, const std::vector<SurfaceMode>& candidates, const SurfaceExample& example) {
  const std::vector<std::vector<Affine>>& bones = example.motion.bones;
  const std::size_t n = model.rest.size(), frames = bones.size();
  const ExampleFrames of_example(model, example);
  Shown shown;
  shown.projection.assign(frames, std::vector<double>(candidates.size()));
  shown.force.assign(candidates.size(), std::vector<double>(frames));
  parallel_for(frames, 1, [&](std::size_t t) {
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 d = transpose_times(blended_bone(model.influences[i], bones[t]).linear, of_example.offset(t, i));
      for (std::size_t k = 0; k < candidates.size(); ++k) shown.projection[t][k] += dot(candidates[k].shape[i], d);
    }
    if (t == 0 || t + 1 == frames) return;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      shown.force[k][t] = mode_force(candidates[k], bones[t - 1], bones[t], bones[t + 1], model.step);
  });
  return shown;
}

// A candidate's coordinate over a performance, at rest at first.
std::vector<double> coordinate(const SurfaceMode& mode, const std::vector<double>& force, double step) {
  const ModeRecurrence r = mode_recurrence(mode, step);
  std::vector<double> q(force.size(), 0.0);
  for (std::size_t t = 1; t + 1 < q.size(); ++t) q[t + 1] = r.now * q[t] + r.before * q[t - 1] + r.force * force[t];
  return q;
}

using Coordinates = std::vector<std::vector<double>>;  // per example and frame

class Choice {
 public:
  Choice(const SurfaceModel& model, std::vector<SurfaceMode>& candidates, std::span<const SurfaceExample> examples)
      : model_(model), candidates_(candidates), examples_(examples) {
    for (const SurfaceExample& example : examples) shown_.push_back(shown_by(model, candidates, example));
    gram_.assign(candidates.size() * candidates.size(), 0);
    parallel_for(candidates.size(), 1, [&](std::size_t a) {
      for (std::size_t b = 0; b < candidates.size(); ++b)
        for (std::size_t i = 0; i < model.rest.size(); ++i)
          gram_[a * candidates.size() + b] += dot(candidates[a].shape[i], candidates[b].shape[i]);
    });
  }

  struct Chosen {
    std::size_t candidate;
    double frequency, damping_ratio;
    Coordinates q;
  };

  Chosen with(std::size_t candidate, double frequency, double damping_ratio) const {
    SurfaceMode mode;
    mode.frequency = frequency;
    mode.damping_ratio = damping_ratio;
    Chosen chosen{candidate, frequency, damping_ratio, {}};
    for (const Shown& shown : shown_) chosen.q.push_back(coordinate(mode, shown.force[candidate], model_.step));
    return chosen;
  }

  // How much smaller the sum of squares is with these, at the best gains.
  double taken(const std::vector<Chosen>& chosen, std::vector<double>& gain) const {
    const std::size_t n = chosen.size();
    std::vector<double> a(n * n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t e = 0; e < shown_.size(); ++e)
        for (std::size_t t = 1; t < chosen[i].q[e].size(); ++t)
          b[i] += chosen[i].q[e][t] * shown_[e].projection[t][chosen[i].candidate];
      for (std::size_t j = 0; j <= i; ++j) {
        double products = 0;
        for (std::size_t e = 0; e < shown_.size(); ++e)
          for (std::size_t t = 1; t < chosen[i].q[e].size(); ++t) products += chosen[i].q[e][t] * chosen[j].q[e][t];
        a[i * n + j] = a[j * n + i] = products * gram_[chosen[i].candidate * candidates_.size() + chosen[j].candidate];
      }
    }
    // Projected Gauss and Seidel: gains stay between nothing and a few.
    gain.assign(n, 0);
    for (int sweep = 0; sweep < 200; ++sweep)
      for (std::size_t i = 0; i < n; ++i) {
        double rest = b[i];
        for (std::size_t j = 0; j < n; ++j)
          if (j != i) rest -= a[i * n + j] * gain[j];
        gain[i] = a[i * n + i] > 0 ? std::clamp(rest / a[i * n + i], 0.0, largest_gain) : 0;
      }
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += 2 * gain[i] * b[i];
      for (std::size_t j = 0; j < n; ++j) sum -= gain[i] * a[i * n + j] * gain[j];
    }
    return sum;
  }

  // Gives chosen[which] the damping ratio of the list that takes most; returns how much that is.
  double best_damping(std::vector<Chosen>& chosen, std::size_t which) const {
    double most = -1;
    Chosen best = chosen[which];
    std::vector<double> gain;
    for (const double ratio : damping_ratios) {
      chosen[which] = with(best.candidate, best.frequency, ratio);
      const double now = taken(chosen, gain);
      if (now > most) most = now, best = chosen[which];
    }
    chosen[which] = best;
    return most;
  }

  // Damping ratios and frequencies a little up and down, as long as that takes more.
  void refine(std::vector<Chosen>& chosen) const {
    std::vector<double> gain;
    double most = taken(chosen, gain);
    for (const double by : refinements)
      for (std::size_t k = 0; k < chosen.size(); ++k)
        for (const auto& [frequency, damping] :
             {std::pair{1.0, 1 + by}, {1.0, 1 / (1 + by)}, {1 + by / 8, 1.0}, {1 / (1 + by / 8), 1.0}})
          for (int times = 0; times < most_refinements; ++times) {
            Chosen& mode = chosen[k];
            const double wanted = mode.frequency * frequency, own = candidates_[mode.candidate].frequency;
            Chosen trial = with(mode.candidate, std::clamp(wanted, own / most_detuned, own * most_detuned),
                                std::min(mode.damping_ratio * damping, 1.0));
            std::swap(mode, trial);
            const double now = taken(chosen, gain);
            if (now > most * (1 + 1e-9)) {
              most = now;
              continue;
            }
            std::swap(mode, trial);
            break;
          }
  }

 private:
  const SurfaceModel& model_;
  std::vector<SurfaceMode>& candidates_;
  std::span<const SurfaceExample> examples_;
  std::vector<Shown> shown_;
  std::vector<double> gram_;  // of the shapes on the surface
};

double sum_of_squares(const SurfaceModel& model, const SurfaceExample& example) {
  const ExampleFrames frames(model, example);
  double sum = 0;
  for (std::size_t t = 1; t < frames.count(); ++t)
    for (std::size_t i = 0; i < model.rest.size(); ++i) sum += squared_norm(frames.offset(t, i));
  return sum;
}

}  // namespace

ModeFit fit_modes(const SurfaceModel& model, std::vector<SurfaceMode> candidates,
                  std::span<const SurfaceExample> examples, std::size_t count) {
  ModeFit fit;
  double whole = 0;
  for (const SurfaceExample& example : examples) whole += sum_of_squares(model, example);
  if (!(whole > 0)) return fit;
  const Choice choice(model, candidates, examples);
  std::vector<Choice::Chosen> chosen;
  std::vector<char> used(candidates.size());
  double taken = 0;
  while (chosen.size() < count) {
    std::vector<double> most(candidates.size(), -1);
    std::vector<Choice::Chosen> with(candidates.size());
    parallel_for(candidates.size(), 1, [&](std::size_t k) {
      if (used[k]) return;
      std::vector<Choice::Chosen> trial = chosen;
      trial.push_back({k, candidates[k].frequency, candidates[k].damping_ratio, {}});
      most[k] = choice.best_damping(trial, trial.size() - 1);
      with[k] = trial.back();
    });
    const auto best = static_cast<std::size_t>(std::max_element(most.begin(), most.end()) - most.begin());
    if (candidates.empty() || !(most[best] - taken > least_share * whole)) break;
    used[best] = 1;
    chosen.push_back(with[best]);
    taken = most[best];
  }
  choice.refine(chosen);
  std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  fit.removed = chosen.empty() ? 0 : choice.taken(chosen, fit.gain) / whole;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    SurfaceMode mode = std::move(candidates[chosen[k].candidate]);
    mode.frequency = chosen[k].frequency;
    mode.damping_ratio = chosen[k].damping_ratio;
    for (Affine& bone : mode.drive) {
      bone.linear = bone.linear * fit.gain[k];
      bone.translation = bone.translation * fit.gain[k];
    }
    fit.modes.push_back(std::move(mode));
  }
  return fit;
}

void take_modes(const SurfaceModel& model, SurfaceExample& example) {
  const std::size_t n = model.rest.size();
  if (model.modes.empty()) return;
  example.rig_sum = goal_error(model, std::span(&example, 1)).goal_sum;
  const std::vector<std::vector<double>> coordinates = mode_coordinates(model, example.motion.bones);
  parallel_for(example.motion.bones.size(), 1, [&](std::size_t t) {
    std::vector<Vec3> moved(n);
    mode_displacements(model, example.motion.bones[t], coordinates[t], moved);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < 3; ++c) example.offset[3 * (t * n + i) + c] -= static_cast<float>(moved[i][c]);
  });
}

}  // namespace sinew
