// Joints that a user places in a mesh without a skeleton (Capell 2004, section 5.4), before it is rigged. Plain data,
// as in a file of joints (rigging/joints_json.h).
#pragma once

#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct PlacedJoint {
  std::string name;    // unique among the joints
  std::string parent;  // name of another joint, anywhere in the list; empty: none
  Vec3 position;       // rest space, metres: position in the default pose of the file
  bool operator==(const PlacedJoint&) const = default;
};

// Throws input_error for `file` (a name for messages), with the joint and a remedy, where there is no joint, a name is
// empty or used twice, a parent does not exist, parents form a cycle, or a position is not finite.
void check_joints(const std::vector<PlacedJoint>& joints, const std::string& file);

// Per joint the index of its parent, or -1. Requires joints that check_joints() accepts.
std::vector<int> parents_of(const std::vector<PlacedJoint>& joints);

// Indices of all joints with every parent before its children, otherwise in their own order. Requires joints that
// check_joints() accepts.
std::vector<int> parents_first(const std::vector<PlacedJoint>& joints);

}  // namespace sinew
