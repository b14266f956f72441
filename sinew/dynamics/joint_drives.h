// Torques that drive joints to target rotations: stable proportional-derivative control (Tan, Liu and Turk 2011).
//
// The torque is computed from the rotation and the velocity at the END of the step,
//   torque = -kp (q + h q' - target) - kd (q' + h q'' - target'),
// so that stiff drives are stable at large steps. Brought to the other side, h (kd + h kp) q'' adds to the inertia of
// each joint (inertia_added()), which the engine then solves for together with contacts. Torques are internal: they
// change neither the momentum nor the angular momentum of the whole.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "sinew/dynamics/articulated_body.h"

namespace sinew {

struct JointDrive {
  double stiffness = 0;    // kp, newton metres per radian
  double damping = 0;      // kd, newton metre seconds per radian
  double most = HUGE_VAL;  // largest torque towards the target, newton metres; damping comes on top
  double limit = 0;        // stiffness with which the joint's limits drive it back, newton metres per radian
};

// The state that a joint is driven to.
struct JointTarget {
  Quat local;  // rotation relative to the parent
  Vec3 spin;   // angular velocity relative to the parent, in the axes of the target, rad/s
};

// Per link, the torque that its joint usually holds, newton metres: that of what is beyond it at right angles to
// gravity, or a twentieth of the body's weight times its height where that is more and the link is part of a leg; at
// most twice that. `height`: of the centre of mass over the ground at rest, metres; `bears`: per link, whether it is a
// part of a leg.
std::vector<double> holding_torques(const ArticulatedBody& body, std::span<const char> bears, double height);

// Drives by the weight that each joint has to hold: a limb at right angles to gravity sags by about 3 degrees, and a
// leg holds the whole body up. `height` and `bears` as for holding_torques(). `strength`: factor of stiffness and
// torque, 1 for a person who stands firmly.
std::vector<JointDrive> drives_for(const ArticulatedBody& body, std::span<const char> bears, double height,
                                   double strength);

// Drives of somebody unconscious: `share` of the stiffness and torque, and limits as they are.
std::vector<JointDrive> limp(std::span<const JointDrive> drives, double share);

// Per link, what EngineOptions::inertia_added is to be. The first link has no drive.
std::vector<double> inertia_added(std::span<const JointDrive> drives, double step);

// Per link, the torque at the beginning of a step, in the link's axes. Joints beyond their limits are driven back. The
// first link gets none.
void drive_torques(const ArticulatedBody& body, std::span<const JointDrive> drives,
                   std::span<const JointTarget> targets, const BodyState& state, double step, std::span<Vec3> torque);

}  // namespace sinew
