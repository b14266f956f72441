// Dual quaternion skinning (Kavan, Collins, Zara and O'Sullivan 2008): each point moves by the normalised weighted sum
// of its bones' rigid motions as unit dual quaternions, which is again a rigid motion, so that twisted limbs keep their
// thickness.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

// The bones' maps in the paper's two phases, prepared once per pose: L = R (I + E), with the closest rotation R.
struct BoneMotions {
  std::vector<DualQuaternion> motion;  // per bone: the rigid motion (R, translation)
  std::vector<Mat3> stretch;           // per bone: E, which is applied first; zero for rigid bones
  std::vector<char> stretches;         // per bone: 1 if E is not zero

  void resize(std::size_t bones);
  void set(std::size_t bone, const Affine& map);
};

// Throws input_error where a bone's map is not finite.
BoneMotions bone_motions(std::span<const Affine> bone);
void bone_motions(std::span<const Affine> bone, BoneMotions& motions);

// The sum of the influences' dual quaternions, not normalised, each with the sign that is closer to the strongest one.
// There must be at least one influence.
DualQuaternion blended(const Influences& influences, std::span<const DualQuaternion> bone);

// A point that bones move: stretches blended linearly, then the blended rigid motion. The point itself where it has no
// weight.
Vec3 moved_by(const BoneMotions& bones, const Influences& influences, const Vec3& rest);

// result[i] = rest[i] moved by its bones (moved_by). All three have the same length; `result` may be `rest`. Throws
// input_error where an influence names a bone that does not exist, or a bone's map is not finite.
void dual_quaternion_blend(std::span<const Vec3> rest, std::span<const Influences> influences,
                           std::span<const Affine> bone, std::span<Vec3> result);

}  // namespace sinew
