// The path of a joint over a clip, in model space or as another joint sees it (SketchiMo's local space: Choi, Ribera,
// Lewis, Seol, Choi and Noh 2016, "SketchiMo: Sketch-based Motion Editing for Articulated Characters"), and edits of it
// in space and time. File units, clip time in seconds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/kinematics/line_of_action.h"
#include "sinew/kinematics/paths/time_falloff.h"

namespace sinew {

struct JointPath {
  std::vector<double> times;   // ascending
  std::vector<Affine> frames;  // per time: the space of the joint that sees the path, or the world's
  std::vector<Vec3> places;    // per time: of the joint, in that space

  std::vector<Vec3> in_world() const;
};

// `seen_from`: the joint that sees the path; -1: model space.
JointPath joint_path(const Skeleton& skeleton, const Clip& clip, int joint, int seen_from,
                     std::span<const double> times);

// A path of which some places are displaced: by all of a vector of its space where the falloff is 1.
JointPath displaced(JointPath path, const TimeFalloff& falloff, const Vec3& by);

// The path between two times replaced by a stroke in a picture: each place goes to the same share of the stroke's
// length as it had of the path's length in the picture, and keeps its depth. What the stroke changes at its ends fades
// out before and after within `fade` seconds, with the velocity that it has there, so that the path has no corners.
// Hand tremor is smoothed away. The stroke is in the path's space. Throws usage_error for strokes without length and
// for an eye that is not before their plane.
JointPath redrawn(JointPath path, const DrawnLine& stroke, double begin, double end, double fade);

// Where a path is at another time: what happened at `from` happens at `at`, and lingers there or hastens by. Outside of
// the window of half-width `width` around `at` time stays as it is.
struct TimeWarp {
  double at = 0, from = 0, width = 1;  // seconds
  double linger = 0;                   // below 0: as much faster at `at`; above 0: slower, 1 nearly stands

  // The old time of a new one: smooth and ascending. A shift of more than half of the width is cut, and so is `linger`
  // beyond -1 and 0.9.
  double operator()(double time) const;
};

}  // namespace sinew
