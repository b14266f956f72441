#include "sinew/deform/flesh/quasi_newton_step.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t quasi_newton_grain = 1024;
constexpr int most_cuts = 8;
// Least curvature of a pair of L-BFGS, relative to the model's before it.
constexpr double least_curvature = 0.2;
constexpr double held_tolerance = 1e-6;  // of targets and contacts
// The share of the last correction that is taken grows, from nothing, with the excess of the one before it over the
// limit, so that rounding cannot change the motion by a whole correction. At 2 all of it is taken from 1.5 times the
// limit on.
constexpr double gradual = 2;

}  // namespace

QuasiNewtonStep::QuasiNewtonStep(std::size_t numbers, std::size_t history) : pairs_(numbers, history) {
  for (std::vector<double>* work : {&residual_, &balance_, &direction_, &before_, &target_, &nearest_})
    work->resize(numbers);
}

StepStatistics QuasiNewtonStep::minimize(const StepPotential& potential, std::span<double> u) {
  StepStatistics statistics;
  double first = 0, least = HUGE_VAL, share = 1;
  pairs_.clear();
  potential.find_residual(u, residual_);
  if (potential.take_off_held) potential.take_off_held(residual_);
  if (std::sqrt(dot(residual_, residual_)) < potential.still) return statistics;
  for (int iteration = 1;; ++iteration) {
    find_direction(potential, u, statistics);
    const double decrease = dot(balance_, direction_);
    if (iteration == 1) first = decrease;
    const double scale = potential.scale(u, first);
    statistics.iterations = iteration;
    if (std::isfinite(decrease) && decrease < least) {
      least = decrease;
      statistics.residual = scale > 0 ? std::sqrt(std::max(0.0, decrease) / scale) : 0;
      std::copy(u.begin(), u.end(), nearest_.begin());
    }
    if (iteration == potential.most_iterations || !std::isfinite(decrease))
      return nearest(potential, least, statistics, u);
    const double enough = std::max(potential.tolerance * potential.tolerance * scale, potential.negligible);
    if (decrease <= enough) {
      finish(potential, share, decrease, u);
      return statistics;
    }
    if (!potential.constraints) share = std::min(1.0, gradual * (decrease / enough - 1));
    take_step(potential, decrease, u);
    if (statistics.contacts > 0) pairs_.clear();
  }
}

// Where obstacles touch, pairs are left out: the search for contacts is guided by the factor's own compliance, and may
// diverge with another one.
void QuasiNewtonStep::find_direction(const StepPotential& potential, std::span<const double> u,
                                     StepStatistics& statistics) {
  const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) {
    pairs_.apply(potential.inverse, from, to);
  };
  for (;; pairs_.clear()) {
    inverse(residual_, direction_);
    std::copy(residual_.begin(), residual_.end(), balance_.begin());
    if (!potential.constraints) return;
    std::copy(u.begin(), u.end(), target_.begin());
    add_scaled(1, direction_, target_);
    statistics.contacts = potential.constraints->meet(inverse, held_tolerance, target_);
    if (statistics.contacts == 0 || pairs_.size() == 0) break;
  }
  parallel_for(u.size(), quasi_newton_grain, [&](std::size_t k) {
    direction_[k] += target_[k] - (u[k] + direction_[k]);  // to the bit where nothing acts
  });
  add_scaled(1, potential.constraints->forces(), balance_);
}

// Makes the last correction, or a share of it. Where the potential curves far more than the factor knows, an unchecked
// one would enlarge the error that it is to mend, step after step.
void QuasiNewtonStep::finish(const StepPotential& potential, double share, double decrease, std::span<double> u) {
  scale(share, direction_, direction_);
  if (potential.checks_last && decrease > potential.negligible) {
    go(potential, share * decrease, u);
  } else {
    add_scaled(1, direction_, u);
    std::fill(residual_.begin(), residual_.end(), 0.0);
  }
}

// Ends iterations that do not converge with the state that was nearest to a minimum.
StepStatistics QuasiNewtonStep::nearest(const StepPotential& potential, double least, const StepStatistics& statistics,
                                        std::span<double> u) {
  if (!std::isfinite(least)) throw simulation_error("a step of nonlinear flesh begins beyond all numbers.");
  std::copy(nearest_.begin(), nearest_.end(), u.begin());
  if (potential.checks_last) potential.find_residual(u, residual_);
  StepStatistics unfinished = statistics;
  unfinished.unfinished = true;
  return unfinished;
}

// Goes along the direction, and less far where the potential would rise again. Returns the share of the direction.
double QuasiNewtonStep::go(const StepPotential& potential, double decrease, std::span<double> u) {
  double length = 1;
  add_scaled(1, direction_, u);
  potential.find_residual(u, residual_);
  for (int cut = 0; cut < most_cuts; ++cut) {
    double slope = dot(residual_, direction_);
    if (potential.constraints) slope += dot(potential.constraints->forces(), direction_);
    if (slope >= -potential.most_overshoot * decrease) break;
    // The root of the secant, where the slope vanishes.
    const double shorter = length * (std::isfinite(slope) ? std::clamp(decrease / (decrease - slope), 0.1, 0.7) : 0.1);
    add_scaled(shorter - length, direction_, u);
    length = shorter;
    potential.find_residual(u, residual_);
  }
  return length;
}

// Goes along the direction, and adds what that says of the potential's curvature.
void QuasiNewtonStep::take_step(const StepPotential& potential, double decrease, std::span<double> u) {
  std::copy(residual_.begin(), residual_.end(), before_.begin());
  const double length = go(potential, decrease, u);
  scale(length, direction_, direction_);
  parallel_for(before_.size(), quasi_newton_grain, [&](std::size_t k) { before_[k] -= residual_[k]; });
  // Powell (1978): where the potential curves far less than the model B, or the other way, the pair is blended with
  // the model's own, B step = length * balance, so that corrections stay bounded.
  const double modelled = length * length * decrease, curvature = dot(direction_, before_);
  if (curvature < least_curvature * modelled) {
    const double share = (1 - least_curvature) * modelled / (modelled - curvature);
    parallel_for(before_.size(), quasi_newton_grain,
                 [&](std::size_t k) { before_[k] = share * before_[k] + (1 - share) * length * balance_[k]; });
  }
  pairs_.add(direction_, before_);
  pairs_.keep(potential.most_pairs);
}

}  // namespace sinew
