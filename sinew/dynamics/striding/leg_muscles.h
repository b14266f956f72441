// The muscles of a leg in the sagittal plane: seven groups, two of which act over two joints, after the model of Geyer
// and Herr (2010).
#pragma once

#include <array>
#include <cstddef>

#include "sinew/dynamics/striding/hill_muscle.h"

namespace sinew {

// Joints of a leg. Angles are radians from the straight leg with a level foot; they grow as the hip is extended, the
// knee bent, and the toes turned down.
enum LegJoint : std::size_t { hip, knee, ankle, leg_joints };
using LegAngles = std::array<double, leg_joints>;

enum LegMuscle : std::size_t {
  glutei,
  hip_flexors,
  hamstrings,
  vasti,
  gastrocnemius,
  soleus,
  tibialis,
  leg_muscles_count
};
const char* name_of(LegMuscle muscle);

// The way in which a muscle passes a joint.
struct MomentArm {
  double arm = 0;     // largest, metres, positive where the muscle makes the angle larger; 0: it does not pass
  bool turns = true;  // the arm is that of the largest times the cosine of the angle from `largest`; false: constant
  double largest = 0, reference = 0;  // angles: where the arm is largest, and where it adds nothing to the length

  double at(double angle) const;         // metres
  double length_at(double angle) const;  // what the joint adds to the muscle's length, metres
};

struct PlacedMuscle {
  HillMuscle muscle;
  std::array<MomentArm, leg_joints> arms;

  double length(const LegAngles& angles) const;  // of muscle and tendon, metres
};

struct LegMuscles {
  std::array<PlacedMuscle, leg_muscles_count> all;
  // Angles at which ligaments begin to hold, and their stiffness, newton metres per radian.
  std::array<double, leg_joints> least, most;
  double ligament = 60;
  double slackening = 0;  // rate at which a ligament that slackens holds nothing more, rad/s
};

// Muscles of a body of `mass` kilograms whose hip is `leg` metres over the ground. Forces grow with the
// mass, lengths with the leg, and speeds with the leg's root, so that bodies of like shape move alike. `foot`, `trunk`:
// factors of the forces about the ankle and about the hip, for bodies with long feet or heavy trunks.
LegMuscles leg_muscles(double mass, double leg, double foot = 1, double trunk = 1);

// Torques of the forces of muscles, newtons, and of ligaments, at the joints. `rates`: rad/s.
LegAngles leg_torques(const LegMuscles& muscles, const std::array<MuscleState, leg_muscles_count>& states,
                      const LegAngles& angles, const LegAngles& rates);

// Length of the leg of whom the muscles are measured, metres, and mass, kilograms. Times of reflexes and activation
// are those of this leg, and grow with the root of a leg's length.
inline constexpr double measured_leg = 1, measured_mass = 80;

}  // namespace sinew
