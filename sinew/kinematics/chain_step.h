// Damped least squares for one chain and one goal, without limits: the iteration that is cheap enough for every frame
// of every limb. Several goals, priorities and limits: pose_solver.h.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct Chain {
  std::vector<Vec3> place;     // of its joints, model space, metres, and of its end, which is no joint
  std::vector<Quat> rotation;  // of its joints, model space: one less
};

// One step of theta += J^T (J J^T + damping^2)^-1 (target - end): joint j turns by the rotation vector
//   w_j = r_j x y,   r_j = end - p_j,   (sum_j (|r_j|^2 - r_j r_j^T) + damping^2) y = target - end,
// since a turn of joint j about its three axes moves the end by w_j x r_j. `damping`: metres. Returns the distance of
// the end from its target before the step.
double damped_step(Chain& chain, const Vec3& target, double damping);

struct ReachOptions {
  int iterations = 50;
  double tolerance = 1e-6;  // of the chain's length
};

// Steps until the end is within the tolerance, or comes no nearer. The damping is at most the distance that is left, so
// that steps converge quadratically near the target, and grows after a step that came no nearer. Returns the distance
// that is left, metres.
double reach(Chain& chain, const Vec3& target, const ReachOptions& options = {});

}  // namespace sinew
