// A body that hops on one leg of two bones, after Raibert (1986) and Raibert and Hodgins (1991).
//
// In the air the leg is led to where the foot lands, half of a stance's way ahead and farther where the body is too
// fast,
//   v T / 2 + k (v - s) + c,
// with the velocity v, the wanted one s, the time T of a stance, and c from the errors of earlier hops. On the ground
// the knee acts as a spring between hip and foot, the hip turns the trunk upright, and while the leg stretches the
// spring is as much stiffer as lifts the body to its height again.
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/joint_drives.h"

namespace sinew {

// Lengths are shares of the leg, and times of sqrt(leg / g).
struct Hop {
  Vec3 velocity;                   // wanted, level, model space, m/s
  double height = 0.2;             // of the centre of mass over where it leaves the ground
  double stance_time = 0.9;        // half a period of the leg's spring
  double bent = 1.1;               // bend of the knee in the air, radians
  double ahead_by_error = 0.4;     // k; a leg that weighs much turns the trunk as it swings, and wants a smaller one
  double upright = 1, calm = 0.5;  // stiffness and damping of the trunk's attitude, in weight times leg and its time
  // Of the sole, metres. Friction under it turns the body to where it looked at first; under a point it cannot.
  double foot_radius = 0;
};

struct HopPhases {
  int hops = 0;                     // flights that ended
  std::vector<double> flight;       // time of each, seconds
  std::vector<double> leaves_with;  // upward velocity of the centre of mass as each begins, m/s
  std::vector<double> apex;         // largest height of the centre of mass in each, metres
};

class HopControl {
 public:
  // The first link is the trunk; thigh and shin follow it, and the shin's lowest skin point is the foot. Leg and trunk
  // are straight and upright where all rotations are the identity, and the knee bends the shin backward about `hinge`,
  // an axis to the left. Throws usage_error for other bodies.
  HopControl(const ArticulatedBody& body, const Hop& hop, const Vec3& hinge);

  // The pose in which it begins, in the air: the foot is `above` metres over the ground.
  BodyState beginning(double ground, double above) const;

  // Torques of a step of `step` seconds; `pressed`: force of the ground on the foot in the last one, newtons, 0 in the
  // air. That of the first link is what friction under the sole gives, and zero without a radius.
  void torques(const BodyState& state, double pressed, double step, std::span<Vec3> torque);

  // Changes the wanted velocity.
  void want(const Vec3& velocity) { hop_.velocity = velocity; }

  // Drives hold the leg in the air; the engine needs the inertia that they add (joint_drives.h).
  std::span<const JointDrive> drives() const { return drives_; }
  bool stands() const { return stands_; }
  const HopPhases& phases() const { return phases_; }

 private:
  void change_phase(double length, const Vec3& velocity, double centre, bool on_ground, double step);
  Vec3 wanted() const;
  Vec3 landing(const PlacedJoints& placed, const Vec3& velocity) const;
  void fly(const BodyState& state, const PlacedJoints& placed, const Vec3& velocity, double step,
           std::span<Vec3> torque) const;
  void stand(const BodyState& state, const PlacedJoints& placed, const LinkVelocities& velocities, double pressed,
             std::span<Vec3> torque);

  const ArticulatedBody* body_;
  Hop hop_;
  std::vector<JointDrive> drives_;
  Vec3 hinge_, foot_;                       // trunk space; shin space, metres
  double leg_ = 1, rest_ = 1, mass_ = 0;    // lengths of the stretched leg and of the bent one in the air, metres; kg
  double unit_time_ = 0.3, stiffness_ = 0;  // seconds; of the leg's spring, N/m
  bool stands_ = false, stretches_ = false;
  double in_phase_ = 0, thrust_ = 1,
         gain_ = 1;  // seconds; factor of the spring while the leg stretches; learnt from hops
  double apex_ = 0;  // largest height of the centre of mass in this flight, metres
  Vec3 correction_;  // of the foot's place, for speed that is missed in the mean, metres
  HopPhases phases_;
};

}  // namespace sinew
