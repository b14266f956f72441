#include "sinew/dynamics/striding/hill_muscle.h"

#include <algorithm>
#include <cmath>

#include "sinew/elastic/hill_curves.h"

namespace sinew {
namespace {

// The tendon's force less that of the fibre, relative to the largest force, and its derivative by the fibre's length,
// which is negative where a solution is.
struct Excess {
  double value, slope;
};

// `step` in seconds; infinite where the fibre is still.
Excess excess(const HillMuscle& muscle, double whole, double before, double step, double activation, double length) {
  const double slack = muscle.tendon / muscle.fibre, strained = slack * muscle.stretch;
  const double strain = (whole - length - slack) / strained;
  // Hill's curve is for a usual muscle; slow and fast ones have it in their own time.
  const double rate = hill::fastest / (muscle.fastest * step);
  const double velocity = (length - before) * rate;
  const double v = velocity / hill::fastest;
  const double by_length = hill::active_force(length), by_velocity = hill::velocity_factor(velocity);
  const double lengthening = v + hill::lengthening, shortening = 1 - v / hill::curvature;
  const double velocity_slope = v < -1 ? 0
                                : v < 0
                                    ? (1 + 1 / hill::curvature) / (shortening * shortening)
                                    : (hill::most_lengthening - 1) * hill::lengthening / (lengthening * lengthening);
  return {
      tendon_force(strain) - activation * by_length * by_velocity - hill::passive_force(length - 1),
      -2 * std::max(strain, 0.0) / strained -
          activation * (hill::active_slope(length) * by_velocity + by_length * velocity_slope * rate / hill::fastest) -
          hill::passive_slope(length - 1)};
}

// The length between `low`, where the tendon pulls more, and `high`, at which the forces are equal: Newton's steps
// within a bracket that shrinks.
double balanced_length(const HillMuscle& muscle, double whole, double before, double step, double activation,
                       double low, double high) {
  constexpr int most_steps = 60;
  constexpr double near = 1e-10;  // optimal lengths
  double length = std::clamp(before, low, high);
  for (int k = 0; k < most_steps && high - low > near; ++k) {
    const Excess now = excess(muscle, whole, before, step, activation, length);
    (now.value > 0 ? low : high) = length;
    const double next = now.slope < 0 ? length - now.value / now.slope : low;
    if (std::abs(next - length) < near) return std::clamp(next, low, high);
    length = next > low && next < high ? next : 0.5 * (low + high);
  }
  return length;
}

void find_force(const HillMuscle& muscle, double whole, MuscleState& state) {
  const double slack = muscle.tendon / muscle.fibre;
  state.force = muscle.force * tendon_force((whole - state.length - slack) / (slack * muscle.stretch));
}

constexpr double shortest = 0.1;  // optimal lengths: fibres are never shorter

}  // namespace

double tendon_force(double strain) { return strain > 0 ? strain * strain : 0; }

MuscleState muscle_at_rest(const HillMuscle& muscle, double whole, double activation) {
  MuscleState state;
  state.activation = activation;
  const double in_fibres = whole / muscle.fibre, high = in_fibres - muscle.tendon / muscle.fibre;
  state.length =
      high <= shortest ? shortest : balanced_length(muscle, in_fibres, high, HUGE_VAL, activation, shortest, high);
  find_force(muscle, in_fibres, state);
  return state;
}

void advance_muscle(const HillMuscle& muscle, double whole, double step, MuscleState& state) {
  const double in_fibres = whole / muscle.fibre, before = state.length;
  // A fibre without load shortens as fast as it can, until the tendon is tight.
  const double low = std::max(before - muscle.fastest * step, shortest);
  const double high = in_fibres - muscle.tendon / muscle.fibre;
  state.length = high <= low ? low : balanced_length(muscle, in_fibres, before, step, state.activation, low, high);
  find_force(muscle, in_fibres, state);
}

double activation_after(double activation, double stimulation, const ActivationTimes& times, double step) {
  const double time = stimulation > activation ? times.up : times.down;
  return stimulation + (activation - stimulation) * std::exp(-step / time);
}

}  // namespace sinew
