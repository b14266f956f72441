// Dual quaternion skinning (Kavan, Collins, Zara and O'Sullivan 2008): each point moves by the normalised weighted sum
// of its bones' rigid motions as unit dual quaternions, which is again a rigid motion, so that twisted limbs keep their
// thickness. In double precision, for comparisons.
#pragma once

#include <span>

#include "sinew/character/character.h"
#include "sinew/linalg/small.h"

namespace sinew {

// real + epsilon dual. A rigid motion x -> q x q* + t has real = q, dual = t q / 2, where t is a quaternion with w = 0.
struct DualQuaternion {
  Quat real;
  Quat dual{0, 0, 0, 0};
};

// `motion.linear` must be a rotation matrix.
DualQuaternion to_dual_quaternion(const Affine& motion);

// The rigid motion of a dual quaternion whose real part is not zero. It need not be normalised.
Affine to_rigid_motion(const DualQuaternion& q);

// The motion of a vertex with these influences, where `bone` are rigid motions: their weighted sum, each with the sign
// that is closer to the strongest one. The identity where the vertex has no weight.
Affine blended_motion(const Influences& influences, std::span<const DualQuaternion> bone);

// result[i] = rest[i] moved by its bones. The stretch of each bone's map is applied first, blended linearly (the
// paper's two phases): linear = R S with the closest rotation R; then the rigid motion (R, translation). All three have
// the same length; `result` may be `rest`. Throws input_error where an influence names a bone that does not exist, or a
// bone's map is not finite.
void dual_quaternion_blend(std::span<const Vec3> rest, std::span<const Influences> influences,
                           std::span<const Affine> bone, std::span<Vec3> result);

}  // namespace sinew
