#include "sinew/dynamics/striding/reflexes.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double least_stimulation = 0.01;

double positive(double value) { return std::max(value, 0.0); }

}  // namespace

const std::array<ReflexRange, reflex_numbers>& reflex_ranges() {
  static constexpr std::array<ReflexRange, reflex_numbers> ranges{{
      {"soleus_force", 1.212, 0, 3},
      {"tibialis_length", 1.088, 0, 3},
      {"tibialis_offset", 0.6233, 0.3, 1.1},
      {"tibialis_by_soleus", 0.2698, 0, 1.5},
      {"gastrocnemius_force", 0.9949, 0, 3},
      {"vasti_base", 0.0816, 0, 0.5},
      {"vasti_force", 1.105, 0, 3},
      {"vasti_by_knee", 2.076, 0, 6},
      {"vasti_knee_bend", 0.1272, 0, 0.6},
      {"vasti_by_other_load", 1.581, 0, 3},
      {"trunk_lean", 0.1144, -0.2, 0.5},
      {"trunk_by_lean", 1.588, 0, 6},
      {"trunk_by_speed", 0.3738, 0, 1},
      {"hip_base", 0.0433, 0, 0.3},
      {"glutei_by_trunk", 0.528, 0, 2},
      {"hamstrings_by_trunk", 1.136, 0, 2},
      {"hip_flexors_by_trunk", 0.9306, 0, 2},
      {"lift_off_glutei", 0.1877, 0, 1},
      {"lift_off_hip_flexors", 0.3555, 0, 1},
      {"hamstrings_force", 0.7867, 0, 2},
      {"glutei_force", 0.4456, 0, 2},
      {"hip_flexors_length", 0.6619, 0, 1.5},
      {"hip_flexors_offset", 0.6266, 0.2, 1.2},
      {"hip_flexors_by_hamstrings", 3.698, 0, 8},
      {"hamstrings_offset", 0.8955, 0.5, 1.3},
      {"hip_flexors_by_lean", 1.666, 0, 4},
      {"landing_ahead", 0.2522, -0.2, 0.6},
      {"landing_vasti", 0.0094, 0, 0.4},
      {"landing_hips", 0.0141, 0, 0.4},
      {"first_lean", 0.1005, -0.2, 0.4},
      {"first_stance_thigh", -0.2629, -0.6, 0.4},
      {"first_stance_knee", 0.0632, 0, 0.5},
      {"first_swing_thigh", 0.1751, -0.8, 0.6},
      {"first_swing_knee", 1.036, 0, 1.4},
      {"first_speed", 0.8086, 0.6, 1.5},
  }};
  return ranges;
}

Reflexes usual_reflexes() {
  Reflexes reflexes{};
  for (std::size_t k = 0; k < reflex_numbers; ++k) reflexes[k] = reflex_ranges()[k].usual;
  return reflexes;
}

std::array<double, leg_muscles_count> stimulation(const Reflexes& r, const DelayedSenses& senses, std::size_t leg,
                                                  LegState state, double lean_at_lift_off) {
  const LegSense &far = senses.ankle->legs[leg], &middle = senses.knee->legs[leg], &near = senses.hip->legs[leg];
  std::array<double, leg_muscles_count> s{};
  s[tibialis] = positive(r[tibialis_length] * (far.length[tibialis] - r[tibialis_offset]));
  if (state == LegState::stance || state == LegState::lift_off) {
    s[soleus] = r[soleus_force] * far.force[soleus];
    s[gastrocnemius] = r[gastrocnemius_force] * far.force[gastrocnemius];
    s[tibialis] -= r[tibialis_by_soleus] * far.force[soleus];
    s[vasti] = r[vasti_base] + r[vasti_force] * middle.force[vasti];
    if (middle.knee_rate < 0) s[vasti] -= r[vasti_by_knee] * positive(r[vasti_knee_bend] - middle.knee);
    // Hips turn the trunk upright, as much as the leg is loaded.
    const double turn =
        r[trunk_by_lean] * (senses.hip->lean - r[trunk_lean]) + r[trunk_by_speed] * senses.hip->lean_rate;
    s[glutei] = r[hip_base] + near.load * r[glutei_by_trunk] * positive(turn);
    s[hamstrings] = r[hip_base] + near.load * r[hamstrings_by_trunk] * positive(turn);
    s[hip_flexors] = r[hip_base] + near.load * r[hip_flexors_by_trunk] * positive(-turn);
    if (state == LegState::lift_off) {
      s[vasti] -= r[vasti_by_other_load] * senses.hip->legs[1 - leg].load;
      s[glutei] -= r[lift_off_glutei];
      s[hip_flexors] += r[lift_off_hip_flexors];
    }
  } else {
    s[hamstrings] = r[hamstrings_force] * near.force[hamstrings];
    s[glutei] = r[glutei_force] * near.force[glutei];
    s[hip_flexors] = r[hip_flexors_length] * (near.length[hip_flexors] - r[hip_flexors_offset]) +
                     r[hip_flexors_by_lean] * (lean_at_lift_off - r[trunk_lean]) -
                     r[hip_flexors_by_hamstrings] * positive(near.length[hamstrings] - r[hamstrings_offset]);
    if (state == LegState::landing) {
      s[vasti] = r[landing_vasti];
      s[hamstrings] += r[landing_hips];
      s[glutei] += r[landing_hips];
    }
  }
  for (double& each : s) each = std::clamp(each, least_stimulation, 1.0);
  return s;
}

}  // namespace sinew
