// Inverse kinematics of a whole tree of joints with several goals, in order of priority (Baerlocher and Boulic 2004): a
// goal of lower priority moves only what those above it leave free. Limits of joints hold.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/joint_tree.h"

namespace sinew {

enum class GoalKind {
  position,        // a point of a joint is at a place
  orientation,     // a joint has a rotation in model space
  centre_of_mass,  // the centre of all masses is at a place
};

struct PoseGoal {
  GoalKind kind = GoalKind::position;
  int joint = 0;       // of position and orientation
  Vec3 point = {};     // of position: in the joint's space, metres
  Vec3 target = {};    // of position and centre_of_mass: model space, metres
  Quat rotation = {};  // of orientation: model space
  // Per axis of model space, which parts of the goal count: 1 or 0. A centre of mass over the feet leaves y free.
  Vec3 axes{1, 1, 1};
  int priority = 0;   // 0 is the highest; goals of one priority share what they cannot both have
  double weight = 1;  // against others of the same priority; an orientation counts a radian as a metre
};

struct PoseSolverOptions {
  // Freedom of each joint to turn, 0 to 1: one with half of the freedom takes a quarter of the share. 0: the joint is
  // fixed. Empty: all are alike.
  std::vector<double> freedom = {};
  double root_freedom = 0;  // the same for displacements of the first joint, a metre counting as a radian
  int iterations = 100;     // at most, for each priority
  double tolerance = 1e-7;  // of the tree's size: a goal this near is met
};

struct PoseSolution {
  std::vector<double> missed;  // per goal: metres, or radians of an orientation
  int iterations = 0;
};

// Changes `pose` step by step from the one that is given. Throws usage_error for goals that name no joint.
PoseSolution solve_pose(const JointTree& tree, std::span<const PoseGoal> goals, const PoseSolverOptions& options,
                        TreePose& pose);

}  // namespace sinew
