// The other half of a character's joints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/rigging/placed_joints.h"

namespace sinew {

// The plane across which joints have partners, by its normal; none: they have none.
enum class MirrorAxis { none, x, z };

struct MirrorPlane {
  MirrorAxis axis = MirrorAxis::none;
  double at = 0;         // coordinate of the plane on its axis, metres
  double tolerance = 0;  // joints up to so far from it are in the middle, metres
};

// The name on the other side: "arm.L" and "arm.R", "l_arm" and "r_arm", "LeftArm" and "RightArm"; nothing for a name
// that says no side.
std::optional<std::string> other_side(const std::string& name);

// The joints, and behind them the mirror image of each one beside the plane that has no partner yet, which is a joint
// called as other_side() says. The image's parent is the parent's partner, or the parent itself where that is in the
// middle. Joints beside the plane whose name says no side get the ending ".L" or ".R": characters look along +z, or for
// planes across z along +x, and left is theirs. Throws input_error for `file` where that gives two joints one name.
std::vector<PlacedJoint> mirrored_joints(std::vector<PlacedJoint> joints, const MirrorPlane& plane,
                                         const std::string& file);

}  // namespace sinew
