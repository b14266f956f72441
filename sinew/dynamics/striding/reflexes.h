// Reflexes that make a leg's muscles walk (Geyer and Herr 2010), with the states of Geijtenbeek, van de Panne and van
// der Stappen (2013): each muscle is stimulated by delayed forces and lengths of its own and of others, by the lean of
// the trunk, and by whether the leg stands.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "sinew/dynamics/striding/leg_muscles.h"

namespace sinew {

enum class LegState {
  stance,
  lift_off,  // it stands behind the other leg, which stands too
  swing,
  landing,  // it swings, with its foot ahead of the hip
};

// Numbers of the reflexes, and of the pose in which a walk begins. Forces are shares of the largest, lengths are in
// optimal lengths, loads in body weights, angles in radians and times those of a leg of `measured_leg`.
enum ReflexNumber : std::size_t {
  soleus_force,
  tibialis_length,
  tibialis_offset,
  tibialis_by_soleus,
  gastrocnemius_force,
  vasti_base,
  vasti_force,
  vasti_by_knee,
  vasti_knee_bend,
  vasti_by_other_load,
  trunk_lean,
  trunk_by_lean,
  trunk_by_speed,
  hip_base,
  glutei_by_trunk,
  hamstrings_by_trunk,
  hip_flexors_by_trunk,
  lift_off_glutei,
  lift_off_hip_flexors,
  hamstrings_force,
  glutei_force,
  hip_flexors_length,
  hip_flexors_offset,
  hip_flexors_by_hamstrings,
  hamstrings_offset,
  hip_flexors_by_lean,
  landing_ahead,
  landing_vasti,
  landing_hips,
  first_lean,
  first_stance_thigh,
  first_stance_knee,
  first_swing_thigh,
  first_swing_knee,
  first_speed,
  reflex_numbers
};

struct ReflexRange {
  std::string_view name;
  double usual, least, most;
};
const std::array<ReflexRange, reflex_numbers>& reflex_ranges();

using Reflexes = std::array<double, reflex_numbers>;
// Reflexes of a person at 1.3 m/s, searched for from those of Geyer and Herr.
Reflexes usual_reflexes();

// Senses of a leg at one time.
struct LegSense {
  std::array<double, leg_muscles_count> force{}, length{};  // shares of the largest; optimal lengths
  double knee = 0, knee_rate = 0;                           // bend, radians, and radians per unit of time
  double load = 0;                                          // body weights
};
struct BodySense {
  std::array<LegSense, 2> legs;
  double lean = 0, lean_rate = 0;  // of the trunk, ahead
};

// Senses as they arrive: muscles near the hip answer after 5 ms, those of the knee after 10 and of the ankle after 20.
struct DelayedSenses {
  const BodySense *hip, *knee, *ankle;
};

// Stimulation of a leg's muscles, 0.01 to 1. `lean_at_lift_off`: of the trunk, when the leg left the ground.
std::array<double, leg_muscles_count> stimulation(const Reflexes& reflexes, const DelayedSenses& senses,
                                                  std::size_t leg, LegState state, double lean_at_lift_off);

}  // namespace sinew
