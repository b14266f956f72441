// Edits of joints that a user places by hand. Each returns the edited joints, which check_joints() accepts if it
// accepted those before, and throws usage_error, a sentence, for what is not possible.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {

using RigJoints = std::vector<PlacedJoint>;

inline constexpr std::size_t most_placed_joints = 200;

// `wanted` if no joint has this name, else that with a number; without one, "root" for the first joint and then
// "joint 1", "joint 2".
std::string free_joint_name(const RigJoints& joints, const std::string& wanted = {});

// The joint of this name.
const PlacedJoint& joint_named(const RigJoints& joints, const std::string& name);

// Adds a joint. Its parent must exist; it is the first joint if it has none.
RigJoints with_joint(RigJoints joints, const PlacedJoint& added);
// Adds a joint between `child` and the parent of that.
RigJoints with_joint_above(RigJoints joints, const std::string& child, PlacedJoint added);
// Removes a joint; its children go to its parent.
RigJoints without_joint(RigJoints joints, const std::string& name);
// Moves a joint alone, and its partner on the other side of the plane, if there is one, to the mirror image.
RigJoints with_moved_joint(RigJoints joints, const std::string& name, const Vec3& position,
                           const MirrorPlane& plane = {});
// Makes a bone from `parent` to `child`. If `parent` hangs below `child`, it takes that one's place in the chain.
RigJoints with_bone(RigJoints joints, const std::string& parent, const std::string& child);
RigJoints with_renamed_joint(RigJoints joints, const std::string& name, const std::string& to);

}  // namespace sinew
