// Goals of inverse kinematics linearised at a pose: their errors, and the rows of the Jacobian.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/pose_solver.h"

namespace sinew {

// Unknowns are a rotation vector for each joint, in model space, then the displacement of the root.
struct GoalRows {
  std::vector<double> error;  // per row: what is missing, weighted
  std::vector<double> value;  // the Jacobian by rows: error.size() times the number of unknowns

  std::size_t count() const { return error.size(); }
};
GoalRows goal_rows(const JointTree& tree, std::span<const PoseGoal> goals, const PlacedJoints& placed);

// Distance of a goal from what the pose gives, over the goal's axes: metres, or radians.
double missed_by(const JointTree& tree, const PoseGoal& goal, const PlacedJoints& placed);

}  // namespace sinew
