// A walk that keeps itself up, without a clip: SIMBICON (Yin, Loken and van de Panne 2007).
//
// One leg swings in two phases: it is lifted for a time, then comes down until it touches the ground, and the legs
// change. In each phase the joints are driven to fixed angles. Two things keep the body up. The trunk and the thigh
// that swings are turned against the world, and the hip of the leg that stands takes the reaction:
//   torque(stand) = -torque(trunk) - torque(all else at the first link).
// The trunk's torque is that of the hip's drive, whose target is where the thigh is, seen from an upright trunk: so the
// stable drive (joint_drives.h) holds a light first link too.
// And the thigh that swings is led by where the centre of mass is and how fast, equation (1) of the paper:
//   angle = angle0 + c_d d + c_v v,
// d from the standing ankle to the centre of mass, ahead and to the side.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/joint_drives.h"
#include "sinew/dynamics/legs.h"

namespace sinew {

// Angles of the leg that swings, radians, from the standing pose.
struct SwingAngles {
  double thigh = 0;  // turn of the thigh ahead, against the world
  double knee = 0;   // bend of the knee
};

// Numbers of a walk; those here were found for a person of 85 kg at 1.2 m/s. Angles are radians from the standing pose.
// Shares are of heights of the centre of mass and of speeds in sqrt(g height), so that a gait suits bodies of any size
// roughly.
struct Gait {
  double lift_seconds = 0.32;  // time for which a leg is lifted, at a height of 0.95 m; grows with the height's root
  double lean = -0.032;        // turn of the trunk ahead, against the world
  SwingAngles lift{0.0597, 0.7702}, land{-0.0581, 0.0313};
  double stand_knee = 0.1579;                                // bend of the standing knee
  double stand_foot = -0.2117;                               // turn of the standing foot's toes down, against the shin
  double swing_foot = 0.264;                                 // turn of the other foot's toes up, against the world
  double apart = -0.0486;                                    // turn of the swinging thigh away from the other
  double ahead_by_place = 1.1088, ahead_by_speed = 0.6572;   // c_d and c_v ahead
  double aside_by_place = -0.4518, aside_by_speed = 0.7648;  // c_d and c_v to the side
};

// The numbers of a gait in the order above, for those who search for better ones.
inline constexpr std::size_t gait_numbers = 14;
std::array<double, gait_numbers> numbers_of(const Gait& gait);
Gait gait_of(std::span<const double, gait_numbers> numbers);

// Why the body cannot walk, as the end of a sentence: "has 4 legs with feet, and ..."; empty where it can.
std::string why_it_cannot_walk(const CharacterLinks& links, const TreePose& standing);

class GaitControl {
 public:
  // `standing`: the body upright, with both feet on the ground; it walks towards where its toes point. Arms that are
  // held out come down. Throws usage_error for a body that cannot walk.
  GaitControl(const CharacterLinks& links, const TreePose& standing, const Gait& gait, double ground);

  // Goes on by `step` seconds, and sets the targets of all joints.
  void advance(const BodyState& state, const PlacedJoints& placed, double step, std::span<JointTarget> targets);

  // Gives the hip that stands, beside the torque of its drive, the reaction of all else that turns the first link.
  void hold_trunk(const PlacedJoints& placed, double most, std::span<Vec3> torque) const;

  // The pose in which the walk begins.
  const TreePose& standing() const { return standing_; }
  int standing_thigh() const { return legs_[1 - swings_].thigh; }
  int steps_taken() const { return steps_; }
  const Vec3& ahead() const { return ahead_; }
  std::span<const LegLinks> legs() const { return legs_; }  // two: that of the left side first

 private:
  void change_phase(const PlacedJoints& placed, double step);
  Quat turned_ahead(double angle) const;
  void lower_arms();
  void swing_arms(const PlacedJoints& placed, std::span<JointTarget> targets) const;

  const CharacterLinks* links_;
  Gait gait_;
  TreePose standing_;
  PlacedJoints rest_;
  std::vector<LegLinks> legs_;  // two: that of the left side first
  Vec3 ahead_, left_;           // level directions, model space
  double ground_ = 0, height_ = 1, lift_seconds_ = 0.3, in_phase_ = 0;
  std::size_t swings_ = 0;
  bool lands_ = false;
  int steps_ = 0;
};

}  // namespace sinew
