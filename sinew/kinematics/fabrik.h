// FABRIK, inverse kinematics by points on lines (Aristidou and Lasenby 2011): from each end back to the root, then from
// the root to the ends, every joint is put at the length of its bone on the line to the one before.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/joint_tree.h"

namespace sinew {

// Points and the lengths of the bones between them; several points may have the same parent.
struct PointTree {
  std::vector<int> parent;     // before each point; -1 for the first alone
  std::vector<double> length;  // of the bone from the parent, metres; unused for the first
};

struct PointGoal {
  int point = 0;
  Vec3 target;
};

struct FabrikOptions {
  int iterations = 100;
  double tolerance = 1e-6;  // of the length of all bones
};

struct FabrikResult {
  int iterations = 0;
  double missed = 0;  // the largest distance of a goal's point from its target, metres
};

// Moves `points`, which stand at the bones' lengths; the first stays. Where several goals pull at one point from below,
// it goes to the mean. Throws usage_error for a goal of no point. A straight chain whose target lies on its own line is
// bent a little first. A single goal beyond the reach of its chain stretches the chain towards it.
FabrikResult fabrik(const PointTree& tree, std::span<const PointGoal> goals, const FabrikOptions& options,
                    std::span<Vec3> points);

// FABRIK for joints that turn: bones of one joint stay rigid among each other, and limits hold after every pass from
// the root. Goals are for the joints' places. With limits the search may end where no joint alone brings a goal nearer.
FabrikResult fabrik(const JointTree& tree, std::span<const PointGoal> goals, const FabrikOptions& options,
                    TreePose& pose);

}  // namespace sinew
