#include "sinew/rig/dual_quaternion.h"

#include <cmath>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

void add(Quat& sum, double weight, const Quat& q) {
  sum.x += weight * q.x;
  sum.y += weight * q.y;
  sum.z += weight * q.z;
  sum.w += weight * q.w;
}

// A bone's map in two phases.
struct TwoPhases {
  std::vector<Mat3> stretch;
  std::vector<DualQuaternion> motion;
};

TwoPhases two_phases(std::span<const Affine> bone) {
  TwoPhases phases;
  for (std::size_t b = 0; b < bone.size(); ++b) {
    if (!std::isfinite(frobenius_norm(bone[b].linear)) || !is_finite(bone[b].translation))
      throw input_error("bone " + std::to_string(b) + " has a transform that is not a number.");
    const Mat3 rotation = closest_rotation(bone[b].linear);
    phases.stretch.push_back(transpose(rotation) * bone[b].linear);
    phases.motion.push_back(to_dual_quaternion({rotation, bone[b].translation}));
  }
  return phases;
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

Vec3 stretched(const Influences& influences, std::span<const Mat3> stretch, const Vec3& p) {
  if (influences.count == 0) return p;
  Vec3 sum;
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
    sum += influences.weight[k] * (stretch[static_cast<std::size_t>(influences.joint[k])] * p);
  return sum;
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

Affine blended_motion(const Influences& influences, std::span<const DualQuaternion> bone) {
  if (influences.count == 0) return {};
  const DualQuaternion& strongest = bone[static_cast<std::size_t>(influences.joint[0])];
  DualQuaternion sum{{0, 0, 0, 0}, {0, 0, 0, 0}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
    const DualQuaternion& q = bone[static_cast<std::size_t>(influences.joint[k])];
    const double weight = dot(q.real, strongest.real) < 0 ? -influences.weight[k] : influences.weight[k];
    add(sum.real, weight, q.real);
    add(sum.dual, weight, q.dual);
  }
  return to_rigid_motion(sum);
}

void dual_quaternion_blend(std::span<const Vec3> rest, std::span<const Influences> influences,
                           std::span<const Affine> bone, std::span<Vec3> result) {
  if (influences.size() != rest.size() || result.size() != rest.size())
    throw usage_error("skinning needs influences and a place for the result for each of " +
                      std::to_string(rest.size()) + " points.");
  check_influences(influences, bone.size());
  const TwoPhases phases = two_phases(bone);
  parallel_for(rest.size(), 4096, [&](std::size_t i) {
    result[i] = blended_motion(influences[i], phases.motion) * stretched(influences[i], phases.stretch, rest[i]);
  });
}

}  // namespace sinew
