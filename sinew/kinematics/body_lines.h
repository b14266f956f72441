// Lines of a body: chains of joints from one end of it to another, or to where limbs begin; and the one that a stroke
// is drawn along.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/kinematics/picture_plane.h"

namespace sinew {

struct BodyLine {
  std::vector<int> joints;  // indices into Skeleton::joints, each the parent or a child of the one before
  std::size_t top = 0;      // position in `joints` of the one that all others descend from
};

// A part of a line that one joint carries: it turns with this joint's rotation.
struct LinePiece {
  int from = -1, to = -1, carrier = -1;  // indices into Skeleton::joints
};
// The pieces from one end to the other. Where the line goes over its top joint, which carries bones of both sides and
// cannot bend there, one piece leads from side to side past it.
std::vector<LinePiece> pieces_of(const BodyLine& line);

// The line between two joints; empty if they are in different trees.
BodyLine line_between(const Skeleton& skeleton, int a, int b);

// Joints at which lines end of themselves: the body's ends with the joints above them, and where limbs begin. `bone`:
// per joint, whether it is one of the body's bones.
std::vector<int> line_ends(const Skeleton& skeleton, std::span<const char> bone);

// The line whose picture fits a stroke best, from the stroke's beginning to its end: places at the same share of both
// lengths are near each other, and the lengths alike; other things equal, it ends where lines end of themselves.
// `through`: a joint that it contains; -1: any. Empty if there is none.
BodyLine line_under(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, const PicturePlane& plane,
                    const Polyline& stroke, int through);

}  // namespace sinew
