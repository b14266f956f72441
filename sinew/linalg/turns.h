// Rotations as turns about axes: shortest arcs, rotation vectors, and their parts, swing and twist.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

// A unit vector perpendicular to `unit`; the same one every time.
Vec3 any_perpendicular(const Vec3& unit);

// The shortest turn that takes the direction of `from` to that of `to`; neither has to have unit length. Opposite
// directions are turned by half a circle about some axis perpendicular to both; for a vector of length zero it is the
// identity.
Quat shortest_turn(const Vec3& from, const Vec3& to);

// The turn about `vector` by its length, radians, and back; the turn back is the shorter one, at most pi.
Quat from_rotation_vector(const Vec3& vector);
Vec3 to_rotation_vector(const Quat& q);

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
