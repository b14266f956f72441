// Places for joints in a mesh, from lines of sight: in the middle between where a line enters the body and leaves it.
#pragma once

#include <optional>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct LineOfSight {
  Vec3 origin, direction;  // metres; the direction need not have length 1

  Vec3 at(double t) const { return origin + t * direction; }
};

// A part of a line inside the body.
struct Inside {
  double enter = 0, leave = 0;  // multiples of the direction

  double middle() const { return 0.5 * (enter + leave); }
};

// The parts of a line that lie in the body, in front of its origin and in order. Closed shells that face outwards and
// overlap count as one body. Elsewhere (open or turned surfaces) crossings are taken in pairs.
std::vector<Inside> inside_along(const TriangleMesh& mesh, const LineOfSight& line);

// The middle of the first part inside; empty: the line misses the body.
std::optional<Vec3> middle_along(const TriangleMesh& mesh, const LineOfSight& line);

// Where a joint at `from` goes when it is dragged to this line, in the plane through it that faces `normal`; with
// `snap` to the middle of the part inside that is nearest to that place. Empty if the line does not meet the plane.
std::optional<Vec3> dragged_to(const TriangleMesh& mesh, const Vec3& from, const LineOfSight& line, const Vec3& normal,
                               bool snap);

}  // namespace sinew
