// A character's joints posed by where they should be: one joint is led to a place, and the limb follows; others may be
// pinned. In file units of the character's scene, as poses are.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/kinematics/joint_places.h"

namespace sinew {

struct ReachedPose {
  std::vector<JointRotation> joints;  // those that turn
  Vec3 moved;                         // of the whole skeleton, world, file units: where the led joint is its first bone
  double missed = 0;                  // distance of the led joint from its place, file units
};

// Leads a joint of a posed skeleton to a place. `bone`: per joint, whether it is one of the body's bones; joints above
// the first bone stay. Limbs alone reach, and where they do not the trunk turns a little. Pinned joints have their
// places, and keep their orientation, as far as the led one leaves them. The first bone moves only if it is the one
// that is led, or something is pinned. Throws usage_error for a joint that does not exist or is no bone.
ReachedPose reach_pose(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, const JointPlace& led,
                       std::span<const JointPlace> pinned);

}  // namespace sinew
