// Limits of a joint's swing and twist, and the nearest rotation within them.
#pragma once

#include <array>
#include <numbers>

#include "sinew/linalg/small.h"

namespace sinew {

// A range of angles, radians, with least <= 0 <= most.
struct TurnRange {
  double least = -std::numbers::pi, most = std::numbers::pi;
};

// A joint's rotation relative to `neutral` is taken apart into a twist about the bone and a swing that leans it:
//   rotation = neutral swing twist
// The swing is a rotation vector at right angles to the bone; it stays within an ellipse whose quarters have the
// half-axes that the two ranges give. A hinge is a range about `hinge` alone, all others zero.
struct JointLimits {
  Quat neutral;         // to the parent: the rotation at which swing and twist are zero
  Vec3 bone{0, 1, 0};   // direction of the bone in joint space, unit length
  Vec3 hinge{1, 0, 0};  // the first axis of swing, at right angles to the bone, unit length; the second is bone x hinge
  TurnRange twist, about_hinge, about_second;
};

// Swing and twist of a rotation, in the terms of its limits.
struct JointAngles {
  double twist = 0, about_hinge = 0, about_second = 0;  // radians
};
JointAngles joint_angles(const JointLimits& limits, const Quat& rotation);
Quat rotation_of(const JointLimits& limits, const JointAngles& angles);

// The twist at its nearer end and the swing at the nearest point of its ellipse; a rotation within the limits is
// returned as it is, bit for bit.
Quat within_limits(const JointLimits& limits, const Quat& rotation);

// Distance of a rotation's angles from those of within_limits(), radians; 0 within the limits.
double beyond_limits(const JointLimits& limits, const Quat& rotation);

// The rotation in the middle of all ranges.
Quat middle_of(const JointLimits& limits);

// Unit axes, in the parent's space, about which a joint that stands at `rotation` cannot turn because ranges of zero
// width leave it none or few others; orthonormal, the rest are zero.
std::array<Vec3, 3> fixed_axes(const JointLimits& limits, const Quat& rotation);

}  // namespace sinew
