#include "sinew/rig/dual_quaternion.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/rotation.h"
#include "sinew/rig/dual_quaternion_kernel.h"

namespace sinew {
namespace {

constexpr std::size_t dual_quaternion_grain = 1024;
constexpr std::size_t most_pairs_per_point = 16;
constexpr double no_stretch = 1e-12;  // rounding of rotations

void add(Quat& sum, double weight, const Quat& q) {
  sum.x += weight * q.x;
  sum.y += weight * q.y;
  sum.z += weight * q.z;
  sum.w += weight * q.w;
}

Vec3 stretched_by(const BoneMotions& bones, const Influences& influences, const Vec3& rest) {
  Vec3 x = rest;
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
    if (const auto b = static_cast<std::size_t>(influences.joint[k]); bones.stretches[b])
      x += influences.weight[k] * (bones.stretch[b] * rest);
  return x;
}

void check_influences(std::span<const Influences> influences, std::size_t bones) {
  for (std::size_t i = 0; i < influences.size(); ++i) {
    const Influences& v = influences[i];
    if (v.count < 0 || v.count > max_influences)
      throw input_error("vertex " + std::to_string(i) + " has " + std::to_string(v.count) + " influences; at most " +
                        std::to_string(max_influences) + " are possible.");
    for (std::size_t k = 0; k < static_cast<std::size_t>(v.count); ++k)
      if (v.joint[k] < 0 || static_cast<std::size_t>(v.joint[k]) >= bones)
        throw input_error("vertex " + std::to_string(i) + " follows bone " + std::to_string(v.joint[k]) +
                          ", but there are only " + std::to_string(bones) + ".");
  }
}

}  // namespace

DualQuaternion to_dual_quaternion(const Affine& motion) {
  const Quat q = to_quaternion(motion.linear);
  const Vec3 t = 0.5 * motion.translation;
  return {q, Quat{t.x, t.y, t.z, 0} * q};
}

Affine to_rigid_motion(const DualQuaternion& q) {
  const double squared = dot(q.real, q.real);
  // t = 2 dual real* / |real|^2; its w is the component of the dual part along the real one, which normalisation
  // removes.
  const Quat t = q.dual * conjugate(q.real);
  return {to_matrix(normalized(q.real)), Vec3{t.x, t.y, t.z} * (2 / squared)};
}

void BoneMotions::resize(std::size_t bones) {
  motion.resize(bones);
  stretch.resize(bones);
  stretches.resize(bones);
}

void BoneMotions::set(std::size_t bone, const Affine& map) {
  if (!std::isfinite(frobenius_norm(map.linear)) || !is_finite(map.translation))
    throw input_error("bone " + std::to_string(bone) + " has a transform that is not a number.");
  const Mat3 rotation = closest_rotation(map.linear);
  motion[bone] = to_dual_quaternion({rotation, map.translation});
  stretch[bone] = transpose(rotation) * map.linear - Mat3::identity();
  stretches[bone] = frobenius_norm(stretch[bone]) > no_stretch;
  if (!stretches[bone]) stretch[bone] = Mat3::zero();
}

void bone_motions(std::span<const Affine> bone, BoneMotions& motions) {
  motions.resize(bone.size());
  for (std::size_t b = 0; b < bone.size(); ++b) motions.set(b, bone[b]);
}

BoneMotions bone_motions(std::span<const Affine> bone) {
  BoneMotions motions;
  bone_motions(bone, motions);
  return motions;
}

DualQuaternion blended(const Influences& influences, std::span<const DualQuaternion> bone) {
  const DualQuaternion& strongest = bone[static_cast<std::size_t>(influences.joint[0])];
  DualQuaternion sum{{0, 0, 0, 0}, {0, 0, 0, 0}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
    const DualQuaternion& q = bone[static_cast<std::size_t>(influences.joint[k])];
    const double weight = dot(q.real, strongest.real) < 0 ? -influences.weight[k] : influences.weight[k];
    add(sum.real, weight, q.real);
    add(sum.dual, weight, q.dual);
  }
  return sum;
}

Affine blended_motion(const Influences& influences, std::span<const DualQuaternion> bone) {
  return influences.count == 0 ? Affine{} : to_rigid_motion(blended(influences, bone));
}

Vec3 moved_by(const BoneMotions& bones, const Influences& influences, const Vec3& rest) {
  if (influences.count == 0) return rest;
  const Vec3 x = stretched_by(bones, influences, rest);
  const DualQuaternion q = blended(influences, bones.motion);
  const Vec3 r{q.real.x, q.real.y, q.real.z}, d{q.dual.x, q.dual.y, q.dual.z};
  const Vec3 moved = cross(r, cross(r, x) + q.real.w * x) + q.real.w * d - q.dual.w * r + cross(r, d);
  return x + (2 / dot(q.real, q.real)) * moved;
}

void dual_quaternion_blend(std::span<const Vec3> rest, std::span<const Influences> influences,
                           std::span<const Affine> bone, std::span<Vec3> result) {
  if (influences.size() != rest.size() || result.size() != rest.size())
    throw usage_error("skinning needs influences and a place for the result for each of " +
                      std::to_string(rest.size()) + " points.");
  check_influences(influences, bone.size());
  const BoneMotions motions = bone_motions(bone);
  const MotionPalette palette =
      motion_palette(motions, bone.size() * bone.size() <= most_pairs_per_point * rest.size());
  parallel_chunks(rest.size(), dual_quaternion_grain, [&](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    move_points(motions, palette, rest.subspan(begin, count), influences.subspan(begin, count),
                result.subspan(begin, count));
  });
}

void move_points(const BoneMotions& motions, const MotionPalette& palette, std::span<const Vec3> rest,
                 std::span<const Influences> influences, std::span<Vec3> result) {
  const bool stretches =
      std::any_of(motions.stretches.begin(), motions.stretches.end(), [](char stretched) { return stretched != 0; });
  if (!stretches) return blend_motions(palette, rest, influences, result);
  for (std::size_t i = 0; i < rest.size(); ++i) result[i] = stretched_by(motions, influences[i], rest[i]);
  blend_motions(palette, result, influences, result);
}

}  // namespace sinew
