// Mirroring of joints to the other half of a character.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/rigging/placed_joints.h"

namespace sinew {

// Axis of the normal of the mirror plane; none: joints are not mirrored.
enum class MirrorAxis { none, x, z };

// A plane of mirror symmetry.
struct MirrorPlane {
  MirrorAxis axis = MirrorAxis::none;
  double at = 0;         // coordinate of the plane on its axis, metres
  double tolerance = 0;  // joints up to this far from the plane are in the middle, metres
};

// A position on the other side of the plane, which must have an axis.
Vec3 mirror_image(Vec3 position, const MirrorPlane& plane);

// A position up to `reach` metres beside the plane goes to the plane.
Vec3 centred(Vec3 position, const MirrorPlane& plane, double reach);

// The name on the other side: "arm.L" and "arm.R", "l_arm" and "r_arm", "LeftArm" and "RightArm"; empty for a name that
// does not tell its side.
std::optional<std::string> other_side(const std::string& name);

// The joints, followed by the mirror image of each joint beside the plane that has no partner yet, where a partner is
// the joint named other_side(). The parent of an image is the parent's partner, or the parent itself if that is in the
// middle. Joints beside the plane whose name does not tell a side get the suffix ".L" or ".R"; left is the character's,
// which looks along +z, or along +x for planes across z. Throws input_error for `file` if two joints would get the same
// name.
std::vector<PlacedJoint> mirrored_joints(std::vector<PlacedJoint> joints, const MirrorPlane& plane,
                                         const std::string& file);

}  // namespace sinew
