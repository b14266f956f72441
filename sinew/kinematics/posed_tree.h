// Some of a skeleton's joints as a tree that inverse kinematics poses, and back. In file units of the character's
// scene, as poses are.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/kinematics/joint_places.h"
#include "sinew/kinematics/joint_tree.h"
#include "sinew/kinematics/pose_solver.h"

namespace sinew {

Quat world_rotation(const Affine& world);

// The topmost bone above a joint, or the joint itself. `bone`: per joint, whether it is one of the body's bones.
int first_bone(const Skeleton& skeleton, std::span<const char> bone, int joint);

// Throws usage_error for a joint that does not exist or is no bone.
void check_bone(std::span<const char> bone, int joint);

// Joints on the ways from the first bone to each of the others, parents first.
std::vector<int> joints_between(const Skeleton& skeleton, int first, std::span<const int> ends);

struct PosedTree {
  JointTree tree;
  TreePose pose;
};

// The joints as they are posed; the first one is the tree's root, and its rotation in the tree is that in the world.
PosedTree posed_tree(const Skeleton& skeleton, const Pose& pose, std::span<const int> joints);

// The joints that turn between two poses of the tree of these joints, whose skeleton has the pose `pose` before.
std::vector<JointRotation> turned_joints(const Skeleton& skeleton, const Pose& pose, std::span<const int> joints,
                                         const TreePose& before, const TreePose& now);

// Position of a joint in a list of a tree's joints; the list's size where it is not there.
int index_in(std::span<const int> joints, int joint);

// Goals that keep pinned joints at their places, with the priority given, and with the orientations that they have in
// `pose`, one priority lower: a foot stays flat. Bones of which a point is pinned may turn about it.
std::vector<PoseGoal> pin_goals(std::span<const JointPlace> pins, std::span<const int> joints, const Pose& pose,
                                int priority);

}  // namespace sinew
