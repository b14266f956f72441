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
  double near_ground = 0.02;  // height over the ground in which a sole's hold on it falls to 1/e, metres
};

// Per pose and link, the torque of the parent on the link, model space, newton metres. That of the first link acts from
// outside: what the ground cannot give.
//
// Links for which `bears` is set stand on the ground with their skin points. The ground's force is what the whole body
// needs, at the place where its moment has no level part, if that lies between points that push. Velocities are
// differences of poses; the first and the last pose get the torques of their neighbours, and fewer than three poses
// those of standing still.
std::vector<std::vector<Vec3>> joint_efforts(const ArticulatedBody& body, std::span<const char> bears,
                                             std::span<const TreePose> poses, const EffortOptions& options);

// Values over time without what changes faster than `seconds`: means with the weights of a Gaussian of this standard
// deviation. Muscles follow their nerves in about 0.04 s.
void smooth_efforts(double seconds, double step, std::vector<std::vector<Vec3>>& efforts);

}  // namespace sinew
