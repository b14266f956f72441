// Torques that the joints of a body of links need for a motion that is given: inverse dynamics by the laws of Newton
// and Euler.
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/articulated_body.h"

namespace sinew {

struct EffortOptions {
  double step = 1.0 / 120;    // between poses, seconds
  Vec3 gravity{0, -9.81, 0};  // along y, m/s^2
  double ground = 0;          // height, metres
  double near_ground = 0.02;  // height over the ground in which the hold of skin on it falls to 1/e, metres
  double friction = 0.9;      // Coulomb's coefficient of skin on the ground
};

struct MotionEfforts {
  // Per pose and link, the torque of the parent on the link, model space, newton metres. That of the first link acts
  // from outside: the moment that the ground cannot give.
  std::vector<std::vector<Vec3>> torque;
  std::vector<double> missing;  // per pose, the force that the ground cannot give, newtons
};

// The body stands, sits or lies on the ground with all skin points that are near it. The ground gives the force that
// the whole body needs, as far as it pushes and friction allows, where its moment has no level part; where that is
// outside of all points that push, it acts at the nearest of them, and the first link has the rest. Velocities are
// differences of poses; the first and the last pose get the torques of their neighbours, and fewer than three poses
// those of standing still.
MotionEfforts joint_efforts(const ArticulatedBody& body, std::span<const TreePose> poses, const EffortOptions& options);

// Values over time without what changes faster than `seconds`: means with the weights of a Gaussian of this standard
// deviation. Muscles follow their nerves in about 0.04 s.
void smooth_efforts(double seconds, double step, std::vector<std::vector<Vec3>>& efforts);

}  // namespace sinew
