// Rotations as turns about axes: shortest arcs, rotation vectors with their derivative, and the parts swing and twist.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

// A unit vector perpendicular to `unit`; the same one every time.
Vec3 any_perpendicular(const Vec3& unit);

// The shortest turn that takes the direction of `from` to that of `to`; neither has to have unit length. Opposite
// directions are turned by half a circle about some axis perpendicular to both; for a vector of length zero it is the
// identity.
Quat shortest_turn(const Vec3& from, const Vec3& to);

// Cross product matrix: cross_matrix(a) * b = a x b.
inline Mat3 cross_matrix(const Vec3& a) { return {{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}}; }

// exp(r) as a unit quaternion; exactly the identity for the zero vector.
inline Quat rotation_exponential(const Vec3& r) {
  const double angle = norm(r);
  return angle > 0 ? axis_angle(r / angle, angle) : Quat{};
}

// The shortest r with exp(r) = q, |r| <= pi; `q` must have unit length.
inline Vec3 rotation_logarithm(const Quat& q) {
  const double sign = q.w < 0 ? -1.0 : 1.0;
  const Vec3 v{sign * q.x, sign * q.y, sign * q.z};
  const double sine = norm(v);
  return sine > 0 ? v * (2 * std::atan2(sine, sign * q.w) / sine) : Vec3{};
}

// The r with exp(r) = q that is nearest to `near`; `q` must have unit length. Candidates differ by full turns about the
// axis of q, or about that of `near` if q has none.
inline Vec3 nearest_rotation_vector(const Quat& q, const Vec3& near) {
  constexpr double two_pi = 6.2831853071795865, no_angle = 1e-12;
  const Vec3 shortest = rotation_logarithm(q);
  const double angle = norm(shortest);
  const Vec3 axis = angle > no_angle ? shortest / angle : normalized(near);
  const double turns = std::round((dot(near, axis) - angle) / two_pi);
  return shortest + axis * (two_pi * turns);
}

// Derivative of exp(r): d exp(r) = exp(r) [J dr], with the right Jacobian J
//   I - (1 - cos a) / a^2 [r] + (a - sin a) / a^3 [r]^2,  a = |r|.
inline Mat3 rotation_right_jacobian(const Vec3& r) {
  const double square = squared_norm(r), angle = std::sqrt(square);
  double first, second;
  if (angle < 0.1) {
    // Next terms: square^4 / 3628800 and square^4 / 39916800.
    first = 0.5 - square * (1.0 / 24 - square * (1.0 / 720 - square / 40320));
    second = 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square / 362880));
  } else {
    const double half_sine = std::sin(angle / 2);
    first = 2 * half_sine * half_sine / square;
    second = (angle - std::sin(angle)) / (square * angle);
  }
  const Mat3 cross_r = cross_matrix(r);
  return Mat3::identity() - cross_r * first + cross_r * cross_r * second;
}

// Whichever of the two quaternions of a rotation is nearer to another quaternion, so that linear keys take the short
// way.
inline Quat nearer_quaternion(const Quat& q, const Quat& other) {
  return dot(q, other) < 0 ? Quat{-q.x, -q.y, -q.z, -q.w} : q;
}

// Angle of the rotation, radians, 0 to pi.
double turned_angle(const Quat& q);

// Angle of the turn about `axis` that is left when the rest of `q` leans the axis by the shortest way: q = swing twist.
// Radians, in (-pi, pi]. Where q leans the axis to its opposite, no twist can be told from the lean, and it is 0.
double twist_angle(const Quat& q, const Vec3& axis);

struct SwingTwist {
  Quat swing, twist;  // q = swing twist; the twist turns about the axis, the swing about a perpendicular of it
};
SwingTwist swing_and_twist(const Quat& q, const Vec3& axis);

}  // namespace sinew
