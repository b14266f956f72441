#include "sinew/cook/flesh/estimate_material.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/linalg/small.h"

namespace sinew {
namespace {

constexpr double difference = 0.03;        // of a logarithm, for the Jacobian
constexpr double core_difference = 0.1;    // of the core's: the body has the core in steps of its vertices
constexpr double converged_step = 2e-3;    // of the logarithms
constexpr double converged_gain = 1e-4;    // of the sum of squares
constexpr double rough_gain = 0.1;         // the same while another core is yet to be found
constexpr double least_curvature = 1e-12;  // relative, so that a value without effect leaves the others determined
constexpr int most_iterations = 10, most_tries = 5, chord_steps = 2;
constexpr double largest_error = 0.3;  // relative standard error of a value that counts as determined
constexpr double softest_start = 1.0 / 64, spacing = 4, stiffest_start = 64;  // of the starts that are tried
constexpr double first_core = 0.1, last_core = 0.9, core_spacing = 0.2;       // of the cores that are tried first
constexpr double core_resolution = 0.01;  // of a core's share, which the search does not get below
constexpr std::size_t blocks = 64;        // of samples whose residuals may depend on each other

// Unknowns: log young, log damping, and log(core / (1 - core)), which keeps the core between 0 and 1.
using Logs = Vec3;
constexpr std::size_t of_young = 0, of_damping = 1, of_core = 2;
const Logs farthest_step{1.4, 1.4, 0.8};

double core_log(double core) { return std::log(core / (1 - core)); }
Logs logs_of(const MaterialValues& v) { return {std::log(v.young), std::log(v.damping), core_log(v.core)}; }
MaterialValues values_of(const Logs& logs) { return {std::exp(logs.x), std::exp(logs.y), 1 / (1 + std::exp(-logs.z))}; }

// A run and its sum of squared differences from what was observed; infinite where the flesh cannot be run.
struct Trial {
  Logs at;
  std::vector<float> seen{};
  double sum = std::numeric_limits<double>::infinity();
};

// Derivatives of a run by the active unknowns, and J^T J.
struct Linear {
  std::array<std::vector<float>, 3> slope;  // empty for an unknown that is not active
  Mat3 matrix = Mat3::zero();

  Vec3 at(std::size_t sample) const {
    Vec3 result;
    for (std::size_t k = 0; k < 3; ++k)
      if (!slope[k].empty()) result[k] = static_cast<double>(slope[k][sample]);
    return result;
  }
};

using Active = std::array<bool, 3>;

class Search {
 public:
  Search(std::span<const float> observed, const MaterialValues& start, const MaterialRun& run)
      : observed_(observed), run_(run), start_(logs_of(start)) {
    const double widest = std::log(1e4);
    low_ = {start_.x - widest, std::log(2e-3), core_log(0.02)};
    high_ = {start_.x + widest, std::log(5.0), core_log(0.97)};
    start_ = within(start_);
  }

  const Logs& start() const { return start_; }
  int runs() const { return runs_; }
  // Whether a value is at an end of its range, beyond which the sum may go on falling.
  bool at_end(const Logs& at, std::size_t k) const { return at[k] <= low_[k] || at[k] >= high_[k]; }

  // The best of some stiffnesses with the other values of the start: steps find their way from within a factor of
  // about four.
  Trial best_start() {
    Trial best = run_at(start_);
    for (double factor = softest_start; factor <= stiffest_start; factor *= spacing) {
      Logs at = start_;
      at.x += std::log(factor);
      if (factor == 1) continue;
      if (Trial trial = try_at(at); trial.sum < best.sum) best = std::move(trial);
    }
    return best;
  }

  // Goes down to a minimum over the active unknowns, until a step lessens the sum by less than the share `gain`.
  // Returns the derivatives there.
  Linear descend(Trial& best, const Active& active, double gain = converged_gain) {
    double damping = 1e-2;
    for (int iteration = 0;; ++iteration) {
      Linear linear = linearise(best, active);
      if (iteration == most_iterations) return linear;
      const Logs from = best.at;
      const double sum = best.sum;
      if (!improve(best, linear, damping)) return linear;
      const Logs step = best.at - from;
      if (std::max({std::abs(step.x), std::abs(step.y), std::abs(step.z)}) < converged_step) return linear;
      if (sum - best.sum < gain * sum) return linearise(best, active);
    }
  }

  // The best core, with the stiffness and damping that suit it. Vertices enter the core one by one, so that the sum
  // has steps over it, and only a search without derivatives finds its minimum.
  void find_core(Trial& best) {
    const Active others{true, true, false};
    Linear linear = descend(best, others, rough_gain);
    const auto try_core = [&](double core) {
      if (Trial trial = with_core(best, core, linear); trial.sum < best.sum) best = std::move(trial);
    };
    for (double core = first_core; core <= last_core + 1e-9; core += core_spacing) try_core(core);
    linear = descend(best, others, rough_gain);
    for (double width = core_spacing / 2; width > core_resolution / 2; width /= 2) {
      const double middle = values_of(best.at).core;
      try_core(middle - width);
      try_core(middle + width);
    }
  }

  Trial run_at(const Logs& at) {
    ++runs_;
    Trial trial{at, run_(values_of(at)), 0};
    for (std::size_t i = 0; i < observed_.size(); ++i) trial.sum += difference_at(trial, i) * difference_at(trial, i);
    return trial;
  }

  Trial try_at(const Logs& at) {
    try {
      return run_at(at);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation) throw;
      return {at};
    }
  }

  Linear linearise(const Trial& at, const Active& active) {
    Linear linear;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!active[k]) continue;
      const double length = k == of_core ? core_difference : difference;
      // Inwards where an end of the range is near.
      const double step = at.at[k] + length > high_[k] ? -length : length;
      Logs beside = at.at;
      beside[k] += step;
      linear.slope[k] = try_at(beside).seen;
      for (std::size_t i = 0; i < linear.slope[k].size(); ++i)
        linear.slope[k][i] = (linear.slope[k][i] - at.seen[i]) / static_cast<float>(step);
    }
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      const Vec3 slope = linear.at(i);
      linear.matrix += Mat3::from_columns(slope.x * slope, slope.y * slope, slope.z * slope);
    }
    const Mat3& m = linear.matrix;
    linear.matrix += Mat3::identity() * (least_curvature * std::max({m(0, 0), m(1, 1), m(2, 2)}));
    return linear;
  }

  double difference_at(const Trial& trial, std::size_t i) const {
    return static_cast<double>(observed_[i]) - static_cast<double>(trial.seen[i]);
  }

 private:
  Logs within(const Logs& at) const { return min(max(at, low_), high_); }

  // The place to which the linearised problem leads.
  Logs step_from(const Trial& trial, const Linear& linear, double damping) const {
    Vec3 right;
    for (std::size_t i = 0; i < observed_.size(); ++i) right += difference_at(trial, i) * linear.at(i);
    Mat3 matrix = linear.matrix;
    for (std::size_t k = 0; k < 3; ++k) matrix(k, k) *= 1 + damping;
    Logs step = inverse(matrix) * right;
    for (std::size_t k = 0; k < 3; ++k)
      step[k] = std::isfinite(step[k]) ? std::clamp(step[k], -farthest_step[k], farthest_step[k]) : 0;
    return within(trial.at + step);
  }

  // Takes a step that lessens the sum, with as little damping as it needs. False if there is none.
  bool improve(Trial& best, const Linear& linear, double& damping) {
    for (int tries = 0; tries < most_tries; ++tries, damping *= 8) {
      const Logs at = step_from(best, linear, damping);
      if (at == best.at) return false;
      Trial next = try_at(at);
      if (!(next.sum < best.sum)) continue;
      best = std::move(next);
      damping /= 8;
      return true;
    }
    return false;
  }

  // A run with another core, whose other values follow with the derivatives `linear` of the old one.
  Trial with_core(const Trial& from, double core, const Linear& linear) {
    Logs at = from.at;
    at.z = std::clamp(core_log(std::clamp(core, 1e-3, 1 - 1e-3)), low_.z, high_.z);
    Trial best = try_at(at);
    for (int k = 0; k < chord_steps && !best.seen.empty(); ++k) {
      const Logs next_at = step_from(best, linear, 0);
      if (norm(next_at - best.at) < converged_step) break;
      Trial next = try_at(next_at);
      if (!(next.sum < best.sum)) break;
      best = std::move(next);
    }
    return best;
  }

  std::span<const float> observed_;
  const MaterialRun& run_;
  Logs start_, low_, high_;
  int runs_ = 0;
};

// Changes of the values that best fit, per unit of the core's logarithm.
Vec3 response_to_core(const Mat3& m) {
  const double determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
  return {(m(0, 1) * m(1, 2) - m(1, 1) * m(0, 2)) / determinant, (m(1, 0) * m(0, 2) - m(0, 0) * m(1, 2)) / determinant,
          1};
}

// Relative standard errors of the values: the larger of those for residuals that are independent, and for residuals
// that depend on each other within blocks of successive samples; and what the resolution of the core adds.
Vec3 errors_of(const Search& search, const Linear& linear, const Trial& best, double accuracy) {
  const std::size_t samples = best.seen.size(), length = samples / blocks + 1;
  Mat3 spread = Mat3::zero();
  for (std::size_t begin = 0; begin < samples; begin += length) {
    Vec3 sum;
    for (std::size_t i = begin; i < std::min(begin + length, samples); ++i)
      sum += search.difference_at(best, i) * linear.at(i);
    spread += Mat3::from_columns(sum.x * sum, sum.y * sum, sum.z * sum);
  }
  const Mat3 independent = inverse(linear.matrix), dependent = independent * spread * independent;
  const double freedom = std::max(static_cast<double>(samples) - 3, 1.0);
  const double variance = std::max(best.sum / freedom, accuracy * accuracy);
  const double core = values_of(best.at).core;
  const Vec3 relative{1, 1, 1 - core};  // change of a value per unit of its logarithm
  Vec3 by_core, errors;
  if (!linear.slope[of_core].empty())
    by_core = response_to_core(linear.matrix) * (core_resolution / (core * (1 - core)));
  for (std::size_t k = 0; k < 3; ++k) {
    const double square = std::max(variance * independent(k, k), dependent(k, k)) + by_core[k] * by_core[k];
    errors[k] = independent(k, k) > 0 ? relative[k] * std::sqrt(square) : std::numeric_limits<double>::infinity();
  }
  return errors;
}

std::array<double, 3> listed(const MaterialValues& v) { return {v.young, v.damping, v.core}; }

std::string why_at_end(double value) {
  char text[96];
  std::snprintf(text, sizeof text, "the best fit is at the end of the range that is searched, %.3g", value);
  return text;
}

}  // namespace

MaterialEstimate estimate_material(std::span<const float> observed, const MaterialValues& start, double accuracy,
                                   const MaterialRun& run) {
  Search search(observed, start, run);
  MaterialEstimate estimate;
  estimate.values = {EstimatedValue{"young"}, EstimatedValue{"damping"}, EstimatedValue{"core"}};
  Active active{true, true, true};
  Trial best = search.best_start();
  search.find_core(best);
  search.descend(best, {true, true, false});
  Linear linear = search.linearise(best, active);
  for (;;) {
    const Vec3 errors = errors_of(search, linear, best, accuracy);
    std::optional<std::size_t> worst;
    for (std::size_t k = 0; k < 3; ++k) {
      estimate.values[k].error = active[k] ? errors[k] : 0;
      const bool bad = !(errors[k] <= largest_error) || search.at_end(best.at, k);
      if (active[k] && bad && (!worst || errors[k] > errors[*worst])) worst = k;
    }
    if (!worst) break;
    estimate.values[*worst].undetermined = errors[*worst] <= largest_error
                                               ? why_at_end(listed(values_of(best.at))[*worst])
                                               : "other values would show nearly the same motion";
    estimate.values[*worst].error = 0;
    active[*worst] = false;
    if (!active[of_young] && !active[of_damping] && !active[of_core]) break;
    best.at[*worst] = search.start()[*worst];
    best = search.run_at(best.at);
    linear = search.descend(best, active);
  }
  const std::array<double, 3> found = listed(values_of(best.at)), kept = listed(start);
  double squares = 0;
  for (const float x : observed) squares += static_cast<double>(x) * static_cast<double>(x);
  const double points = std::max(static_cast<double>(observed.size()) / 3, 1.0);
  for (std::size_t k = 0; k < 3; ++k) estimate.values[k].value = active[k] ? found[k] : kept[k];
  estimate.observed = std::sqrt(squares / points);
  estimate.residual = std::sqrt(best.sum / points);
  estimate.runs = search.runs();
  return estimate;
}

}  // namespace sinew
