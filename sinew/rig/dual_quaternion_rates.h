// Derivatives of dual quaternion skinning by what moves the bones, for rigs (skeleton_rig.h).
#pragma once

#include <span>

#include "sinew/rig/dual_quaternion.h"

namespace sinew {

// Rate of one bone's map in its two phases, BoneMotions::motion and stretch.
struct BoneMotionRate {
  DualQuaternion motion{{0, 0, 0, 0}, {0, 0, 0, 0}};
  Mat3 stretch = Mat3::zero();
};

// `map`: the bone's map, which `bones` holds in two phases at `bone`; `rate`: of its matrix and its translation.
BoneMotionRate motion_rate(const BoneMotions& bones, std::size_t bone, const Affine& map, const Affine& rate);

// Rate of moved_by(bones, influences, rest). `rates`: per bone; `rest_rate`: of the point at rest. There must be at
// least one influence.
Vec3 moved_rate(const BoneMotions& bones, const Influences& influences, const Vec3& rest,
                std::span<const BoneMotionRate> rates, const Vec3& rest_rate);

}  // namespace sinew
