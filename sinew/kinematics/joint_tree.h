// A tree of joints that turn, with rigid bones: what inverse kinematics poses. reach_pose.h makes one of a character's
// joints.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/kinematics/joint_limits.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct JointTree {
  std::vector<int> parent;   // index of each joint's parent, which comes before it; -1 for the first joint alone
  std::vector<Vec3> offset;  // place of each joint in its parent's space, metres; unused for the first
  std::vector<std::optional<JointLimits>> limits = {};  // per joint; empty: no joint has any
  // Mass that each joint carries, kilograms, and where its centre is, in the joint's space, metres; empty: none.
  std::vector<double> mass = {};
  std::vector<Vec3> mass_centre = {};

  std::size_t size() const { return parent.size(); }
};

struct TreePose {
  Vec3 root;                // place of the first joint, model space, metres
  std::vector<Quat> local;  // rotation of each joint relative to its parent
};

// Where a pose puts the joints, in model space.
struct PlacedJoints {
  std::vector<Quat> rotation;
  std::vector<Vec3> place;  // metres

  // A point of a joint's space, in model space.
  Vec3 operator()(int joint, const Vec3& point) const;
};
void place_joints(const JointTree& tree, const TreePose& pose, PlacedJoints& placed);

// Throws usage_error, naming the joint, where parents do not come first or the lists differ in length.
void check_tree(const JointTree& tree);

// Centre of the masses of all joints; the place of the root where the tree has none.
Vec3 centre_of_mass(const JointTree& tree, const PlacedJoints& placed);

// Rotations within the limits that the joint has, if any.
Quat within_limits(const JointTree& tree, std::size_t joint, const Quat& local);

}  // namespace sinew
