#include "sinew/dynamics/striding/leg_muscles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double degree = std::numbers::pi / 180;

constexpr MomentArm turning(double arm, double largest, double reference) {
  return {arm, true, largest * degree, reference * degree};
}
constexpr MomentArm constant(double arm, double reference) { return {arm, false, 0, reference * degree}; }
constexpr MomentArm none{};

// The measures of Geyer and Herr (2010) for 80 kg. They shorten lengths by a share for the pennation of fibres, 0.5 or
// 0.7; here arms have that share and forces its inverse, so that torques are theirs and work is kept.
constexpr std::array<PlacedMuscle, leg_muscles_count> measured{{
    {{1500 / 0.5, 0.11, 0.13, 12}, {constant(0.10 * 0.5, -30), none, none}},
    {{2000 / 0.5, 0.11, 0.10, 12}, {constant(-0.10 * 0.5, 0), none, none}},
    {{3000 / 0.7, 0.10, 0.31, 12}, {constant(0.08 * 0.7, -25), turning(0.05 * 0.7, 0, 0), none}},
    {{6000 / 0.7, 0.08, 0.23, 12}, {none, turning(-0.06 * 0.7, 15, 55), none}},
    {{1500 / 0.7, 0.05, 0.40, 12}, {none, turning(0.05 * 0.7, 40, 15), turning(0.05 * 0.7, 20, -10)}},
    {{4000 / 0.5, 0.04, 0.26, 6}, {none, none, turning(0.05 * 0.5, 20, -10)}},
    {{800 / 0.7, 0.06, 0.24, 12}, {none, none, turning(-0.04 * 0.7, -10, 20)}},
}};

}  // namespace

const char* name_of(LegMuscle muscle) {
  constexpr std::array<const char*, leg_muscles_count> names{"glutei",        "hip flexors", "hamstrings", "vasti",
                                                             "gastrocnemius", "soleus",      "tibialis"};
  return names[muscle];
}

double MomentArm::at(double angle) const { return turns ? arm * std::cos(angle - largest) : arm; }

double MomentArm::length_at(double angle) const {
  return turns ? -arm * (std::sin(angle - largest) - std::sin(reference - largest)) : -arm * (angle - reference);
}

double PlacedMuscle::length(const LegAngles& angles) const {
  double whole = muscle.fibre + muscle.tendon;
  for (std::size_t j = 0; j < leg_joints; ++j) whole += arms[j].length_at(angles[j]);
  return whole;
}

LegMuscles leg_muscles(double mass, double leg, double foot, double trunk) {
  LegMuscles muscles{measured, {-150 * degree, 5 * degree, -20 * degree}, {50 * degree, 150 * degree, 40 * degree}};
  const double size = leg / measured_leg, heavier = mass / measured_mass;
  for (std::size_t m = 0; m < leg_muscles_count; ++m) {
    PlacedMuscle& own = muscles.all[m];
    const bool at_hip = own.arms[hip].arm != 0, at_ankle = own.arms[ankle].arm != 0;
    own.muscle.force *= heavier * (at_hip ? trunk : 1) * (at_ankle ? foot : 1);
    own.muscle.fibre *= size;
    own.muscle.tendon *= size;
    own.muscle.fastest /= std::sqrt(size);
    for (MomentArm& arm : own.arms) arm.arm *= size;
  }
  muscles.ligament *= heavier * size;
  muscles.slackening = 10 * degree / std::sqrt(size);
  return muscles;
}

LegAngles leg_torques(const LegMuscles& muscles, const std::array<MuscleState, leg_muscles_count>& states,
                      const LegAngles& angles, const LegAngles& rates) {
  LegAngles torques{};
  for (std::size_t j = 0; j < leg_joints; ++j) {
    for (std::size_t m = 0; m < leg_muscles_count; ++m)
      torques[j] += muscles.all[m].arms[j].at(angles[j]) * states[m].force;
    // A ligament that is stretched faster holds more, and one that slackens less, never pushing.
    const double over = angles[j] > muscles.most[j]    ? angles[j] - muscles.most[j]
                        : angles[j] < muscles.least[j] ? angles[j] - muscles.least[j]
                                                       : 0;
    const double faster = std::copysign(rates[j], over * rates[j]) / muscles.slackening;
    torques[j] -= muscles.ligament * over * std::max(0.0, 1 + faster);
  }
  return torques;
}

}  // namespace sinew
