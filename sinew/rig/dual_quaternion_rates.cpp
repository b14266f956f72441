#include "sinew/rig/dual_quaternion_rates.h"

#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

Quat pure(const Vec3& v) { return {v.x, v.y, v.z, 0}; }
Vec3 vector_of(const Quat& q) { return {q.x, q.y, q.z}; }
Quat scaled(const Quat& q, double s) { return {q.x * s, q.y * s, q.z * s, q.w * s}; }
Quat sum(const Quat& a, const Quat& b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// w of the skew matrix [w].
Vec3 axial(const Mat3& skew) {
  return 0.5 * Vec3{skew(2, 1) - skew(1, 2), skew(0, 2) - skew(2, 0), skew(1, 0) - skew(0, 1)};
}

}  // namespace

BoneMotionRate motion_rate(const BoneMotions& bones, std::size_t bone, const Affine& map, const Affine& rate) {
  const DualQuaternion& motion = bones.motion[bone];
  const Mat3 rotation = to_matrix(motion.real);
  // L = R S: dR = R [w], dS = R^T dL - [w] S.
  const Mat3 turn = transpose(rotation) * rotation_derivative(map.linear, rotation)(rate.linear);
  const Vec3 w = axial(turn);
  BoneMotionRate result;
  result.stretch =
      transpose(rotation) * rate.linear - 0.5 * (turn - transpose(turn)) * (Mat3::identity() + bones.stretch[bone]);
  result.motion.real = scaled(motion.real * pure(w), 0.5);
  // dual = t real / 2
  result.motion.dual =
      scaled(sum(pure(rate.translation) * motion.real, pure(map.translation) * result.motion.real), 0.5);
  return result;
}

Vec3 moved_rate(const BoneMotions& bones, const Influences& influences, const Vec3& rest,
                std::span<const BoneMotionRate> rates, const Vec3& rest_rate) {
  const Quat& strongest = bones.motion[static_cast<std::size_t>(influences.joint[0])].real;
  Vec3 x = rest, x_rate = rest_rate;
  DualQuaternion q{{0, 0, 0, 0}, {0, 0, 0, 0}}, q_rate = q;
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
    const auto b = static_cast<std::size_t>(influences.joint[k]);
    const double weight = influences.weight[k];
    const double sign = dot(bones.motion[b].real, strongest) < 0 ? -weight : weight;
    x += weight * (bones.stretch[b] * rest);
    x_rate += weight * (rates[b].stretch * rest + bones.stretch[b] * rest_rate);
    q.real = sum(q.real, scaled(bones.motion[b].real, sign));
    q.dual = sum(q.dual, scaled(bones.motion[b].dual, sign));
    q_rate.real = sum(q_rate.real, scaled(rates[b].motion.real, sign));
    q_rate.dual = sum(q_rate.dual, scaled(rates[b].motion.dual, sign));
  }
  const double square = dot(q.real, q.real), along = dot(q.real, q_rate.real);
  const Mat3 rotation = to_matrix(normalized(q.real));
  const Quat back = conjugate(q.real);
  const Vec3 spin = vector_of(q_rate.real * back) * (2 / square);  // of the rotation, world
  const Vec3 translation = vector_of(q.dual * back) * (2 / square);
  const Vec3 translation_rate = vector_of(sum(q_rate.dual * back, q.dual * conjugate(q_rate.real))) * (2 / square) -
                                translation * (2 * along / square);
  return cross(spin, rotation * x) + rotation * x_rate + translation_rate;
}

}  // namespace sinew
