// A character posed by a stroke: the line of its body follows the stroke's shape (Guay, Cani and Ronfard 2013, "The
// Line of Action: an Intuitive Interface for Expressive Character Posing"). In file units of the character's scene.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/kinematics/joint_limits.h"
#include "sinew/kinematics/joint_places.h"
#include "sinew/kinematics/picture_plane.h"

namespace sinew {

struct DrawnLine {
  std::vector<Vec3> points;  // of the stroke, in a plane through the character that faces the viewer; world
  Vec3 normal{0, 0, 1};      // of that plane, towards the viewer; any length but zero
  // Where the viewer is, world, on the side of `normal`; empty: far away, so that the picture is a parallel projection.
  std::optional<Vec3> eye = {};
};

// The plane of the stroke, and the stroke in it. Throw usage_error for a stroke without length and an eye that is not
// before the plane.
PicturePlane plane_of(const DrawnLine& drawn);
Polyline stroke_of(const DrawnLine& drawn, const PicturePlane& plane);

struct LineOptions {
  int through = -1;                                     // a joint that the line of the body contains; -1: any line
  std::vector<JointPlace> pinned = {};                  // joints that keep place and orientation, with their places
  std::vector<std::optional<JointLimits>> limits = {};  // per joint of the skeleton; empty: no joint has any
};

struct LineOfAction {
  std::vector<int> joints;            // that follow the stroke, from its beginning to its end
  std::vector<JointRotation> turned;  // with their new rotations
  Vec3 moved;                         // of the whole skeleton, world, so that what is pinned stays
  // Mean angle in the picture between bones and stroke that is left, by the bones' lengths, radians: what limits and
  // pins did not allow.
  double off = 0;
  double missed = 0;  // largest distance of a pinned joint from its place
};

// The paper minimises the distance between the tangents of stroke and body line, both by the share of their length, and
// lets joints turn about the view direction alone. Here bones are rigid: for a bone seen from share s to share u of its
// line, the integral of |t - c'(x)|^2 over x in [s, u] is least for the unit vector t along the chord c(u) - c(s). So
// each bone turns about the normal of the picture until it is seen along its chord; its height over the plane stays,
// and so does its length.
// Limits hold where they are given, and bones farther out make up for it; joints beside the line keep their local
// rotations. Limbs with pins give way first, then the whole body moves, then the line itself. Without pins the first
// bone keeps its place, and so it does where points of bones are pinned (JointPlace::arm), since what hangs elsewhere
// would go along. `bone`: per joint, whether it is one of the body's bones. Throws usage_error for a stroke
// without length, an eye that is not before the plane, and joints that are no bones.
LineOfAction line_of_action(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose,
                            const DrawnLine& drawn, const LineOptions& options = {});

}  // namespace sinew
