// A muscle on its tendon and the muscles of a leg against closed forms: Hill's curves at known points, the step
// response of activation, and work.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "sinew/dynamics/striding/leg_muscles.h"

namespace sinew::test {
namespace {

constexpr double turn_degree = std::numbers::pi / 180;

// Length of muscle and tendon at which the fibre has `length` optimal lengths and the tendon `force`, a share of the
// largest.
double whole_at(const HillMuscle& muscle, double length, double force) {
  return muscle.fibre * length + muscle.tendon * (1 + muscle.stretch * std::sqrt(force));
}

TEST(HillMuscle, AStillMuscleHasTheForceOfHillsCurve) {
  const HillMuscle muscle{2000, 0.08, 0.25, 12, 0.04};
  struct Known {
    double length, active;
  };
  // 1 - 4 y^2 within 0.4 of the optimum, 9 (0.6 - |y|)^2 beyond.
  for (const Known& known : {Known{1, 1}, {0.8, 0.84}, {0.6, 0.36}, {0.5, 0.09}}) {
    const MuscleState state = muscle_at_rest(muscle, whole_at(muscle, known.length, known.active), 1);
    EXPECT_NEAR(state.force, 2000 * known.active, 1e-5) << known.length;
    EXPECT_NEAR(state.length, known.length, 1e-8);
  }
  // Beyond the optimum the passive force, 0.05 (exp(6.6 e) - 1), is added; half of the activation halves the other.
  const double passive = 0.05 * (std::exp(6.6 * 0.2) - 1);
  for (const double activation : {1.0, 0.5, 0.01}) {
    const double force = activation * 0.84 + passive;
    EXPECT_NEAR(muscle_at_rest(muscle, whole_at(muscle, 1.2, force), activation).force, 2000 * force, 1e-5);
  }
  // A slack tendon has none.
  EXPECT_LT(muscle_at_rest(muscle, 0.25 + 0.5 * 0.08, 0.0).force, 1e-9);
}

// Force, as a share of the largest, of a fibre on a stiff tendon that passes its optimum at a velocity, in shares of
// the fastest; its activation is whole.
double force_at(double velocity, double step, double fastest = 12) {
  const HillMuscle muscle{1000, 0.1, 0.2, fastest, 1e-5};
  const double per_second = velocity * muscle.fastest * muscle.fibre, from = -0.05 * muscle.fibre;
  const double seconds = std::abs(from / per_second);
  const double optimum = whole_at(muscle, 1, 1);
  const int steps = static_cast<int>(std::lround(seconds / step));
  MuscleState state{1, 1, 0};
  state.length = 1 - per_second * seconds / muscle.fibre;
  for (int k = 1; k <= steps; ++k)
    advance_muscle(muscle, optimum + per_second * (k * seconds / steps - seconds), seconds / steps, state);
  return state.force / muscle.force;
}

TEST(HillMuscle, AFibreThatMovesHasTheForceOfHillsHyperbola) {
  constexpr double step = 1e-5;
  // (1 - v) / (1 + 4 v) shortening, 1 + 0.4 v / (v + 0.08) lengthening.
  EXPECT_NEAR(force_at(-0.25, step), 0.375, 1e-3);
  EXPECT_NEAR(force_at(-0.5, step), 1.0 / 6, 1e-3);
  EXPECT_NEAR(force_at(0.1, step), 1 + 0.4 * 0.1 / 0.18, 1e-3);
  EXPECT_NEAR(force_at(0.8, step), 1 + 0.4 * 0.8 / 0.88, 2e-3);
  // Slow fibres have the curve in their own time.
  EXPECT_NEAR(force_at(-0.25, step, 6), 0.375, 1e-3);
  // Faster than the fastest, the tendon hangs slack.
  EXPECT_EQ(force_at(-1.2, 1e-4), 0);
}

TEST(HillMuscle, LongStepsComeToTheSameRest) {
  const HillMuscle muscle{2000, 0.08, 0.25, 12, 0.04};
  const double whole = whole_at(muscle, 0.9, 0.5);
  const double rest = muscle_at_rest(muscle, whole, 0.6).force;
  for (const double step : {1e-4, 1e-3, 1e-2}) {
    MuscleState state{0.6, 1.1, 0};
    for (int k = 0; k < std::lround(1 / step); ++k) advance_muscle(muscle, whole, step, state);
    EXPECT_NEAR(state.force, rest, 1e-4) << step;
  }
}

TEST(Activation, FollowsAStepOfStimulationByItsTimes) {
  const ActivationTimes times;
  EXPECT_NEAR(activation_after(0, 1, times, 0.010), 1 - 1 / std::numbers::e, 1e-12);
  EXPECT_NEAR(activation_after(1, 0, times, 0.040), 1 / std::numbers::e, 1e-12);
  EXPECT_NEAR(activation_after(0.2, 0.2, times, 1), 0.2, 1e-15);
  double activation = 0.1;
  for (int k = 0; k < 20; ++k) activation = activation_after(activation, 0.9, times, 0.001);
  EXPECT_NEAR(activation, activation_after(0.1, 0.9, times, 0.020), 1e-12);
}

// A torque times a turn is a force times a length, whatever the arm: work is kept.
TEST(LegMuscles, ArmsAreTheDerivativesOfLengths) {
  const LegMuscles muscles = leg_muscles(60, 0.8);
  constexpr double small = 1e-6;
  for (const PlacedMuscle& muscle : muscles.all)
    for (std::size_t joint = 0; joint < leg_joints; ++joint)
      for (const double angle : {-0.3, 0.0, 0.4, 0.9}) {
        LegAngles before{0.1, 0.3, -0.1}, after = before;
        before[joint] = angle - small;
        after[joint] = angle + small;
        EXPECT_NEAR((muscle.length(before) - muscle.length(after)) / (2 * small), muscle.arms[joint].at(angle), 1e-8);
      }
}

TEST(LegMuscles, TorquesAreForcesTimesArms) {
  const LegMuscles muscles = leg_muscles(80, 1);
  std::array<MuscleState, leg_muscles_count> states{};
  states[soleus].force = 1000;
  // 25 mm along its fibres, with the toes 20 degrees down.
  LegAngles torques = leg_torques(muscles, states, {0, 20 * turn_degree, 20 * turn_degree}, {});
  EXPECT_NEAR(torques[ankle], 25, 1e-9);
  EXPECT_EQ(torques[knee], 0);
  EXPECT_NEAR(leg_torques(muscles, states, {0, 0.3, -10 * turn_degree}, {})[ankle], 25 * std::cos(30 * turn_degree),
              1e-9);
  states[soleus].force = 0;
  states[hamstrings].force = 500;
  torques = leg_torques(muscles, states, {0, 60 * turn_degree, 0}, {});
  EXPECT_NEAR(torques[hip], 500 * 0.056, 1e-9);
  EXPECT_NEAR(torques[knee], 500 * 0.035 * 0.5, 1e-9);
  // Ligaments hold a knee that is stretched too far, more so while it goes on, and never push.
  const LegAngles far{0, 5 * turn_degree - 0.1, 0};
  EXPECT_NEAR(leg_torques(muscles, {}, far, {})[knee], muscles.ligament * 0.1, 1e-9);
  EXPECT_NEAR(leg_torques(muscles, {}, far, {0, -10 * turn_degree, 0})[knee], 2 * muscles.ligament * 0.1, 1e-9);
  EXPECT_EQ(leg_torques(muscles, {}, far, {0, 1, 0})[knee], 0);
}

// The torque that a still person's soleus can hold about the ankle grows as weight and leg.
TEST(LegMuscles, GrowWithTheBody) {
  const LegMuscles person = leg_muscles(80, 1), child = leg_muscles(20, 0.5);
  for (std::size_t m = 0; m < leg_muscles_count; ++m) {
    EXPECT_NEAR(child.all[m].muscle.force, person.all[m].muscle.force / 4, 1e-9);
    const LegAngles angles{-0.2, 0.4, 0.1};
    EXPECT_NEAR(child.all[m].length(angles), person.all[m].length(angles) / 2, 1e-12);
    EXPECT_NEAR(child.all[m].muscle.fastest, person.all[m].muscle.fastest * std::sqrt(2), 1e-9);
  }
}

}  // namespace
}  // namespace sinew::test
