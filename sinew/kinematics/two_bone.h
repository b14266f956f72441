// Inverse kinematics of a limb of two bones in closed form: shoulder, elbow and wrist; hip, knee and ankle.
#pragma once

#include <array>

#include "sinew/linalg/small.h"

namespace sinew {

// Angles of a limb in the plane, radians, counterclockwise: of the first bone from the x axis, and of the second bone
// from the first.
struct PlanarLimb {
  double root = 0, middle = 0;
};

// Both poses of a limb with its root at the origin and its end at (x, y): the first one with middle >= 0, the second
// with middle <= 0. An end out of reach is replaced by the nearest one in reach, where both poses are the same. The
// law of cosines, cos(middle) = (x^2 + y^2 - first^2 - second^2) / (2 first second), in the form of half angles, which
// loses no digits where the limb is straight or folded.
std::array<PlanarLimb, 2> planar_limb(double first, double second, double x, double y);

// Three joints as they are posed, all in one space.
struct TwoBoneLimb {
  Vec3 root, middle, end;
};

struct TwoBoneGoal {
  Vec3 target;  // where the end should be, in the limb's space
  // Direction towards which the middle joint bends, in the limb's space. Zero keeps the plane in which the limb is
  // bent.
  Vec3 pole = {};
  // Axis about which the middle joint turns, in the limb's space; decides where the limb is straight and there is no
  // pole.
  Vec3 hinge = {};
  // Takes the other of the two solutions: bent away from the pole.
  bool other = false;
  // Share of the limb's length, 0 to 1, from which on it approaches full stretch asymptotically, so that it does not
  // snap straight when its target goes out of reach. The end then stays behind its target, at full length by
  // (1 - soft_from) / e of the length. 1: none; 0.95 to 0.98 cannot be seen.
  double soft_from = 1;
};

struct TwoBonePose {
  Quat root, middle;       // turns in the limb's space, to be applied before the orientations that the joints have
  Vec3 middle_at, end_at;  // where these turns take the joints
  double missed = 0;       // distance of the end from its target
};

// The lengths of the bones stay. A limb with a bone of length zero turns its other bone only.
TwoBonePose solve_two_bones(const TwoBoneLimb& limb, const TwoBoneGoal& goal);

}  // namespace sinew
