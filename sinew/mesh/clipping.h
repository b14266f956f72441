// Tests of points, segments and triangles against a convex cell (a tetrahedron), whose faces may be shifted outward or
// inward.
#pragma once

#include <array>

#include "sinew/linalg/small.h"

namespace sinew {

// Points x with dot(normal, x) >= offset.
struct HalfSpace {
  Vec3 normal;  // unit
  double offset = 0;
};

struct ConvexCell {
  std::array<HalfSpace, 4> faces;

  // Distance of a point inside from the nearest face; negative for points beyond a face, and there that of the
  // farthest.
  double depth(const Vec3& p) const {
    double least = dot(faces[0].normal, p) - faces[0].offset;
    for (std::size_t i = 1; i < 4; ++i) {
      const double depth = dot(faces[i].normal, p) - faces[i].offset;
      least = depth < least ? depth : least;
    }
    return least;
  }
  bool contains(const Vec3& p, double growth) const { return !(depth(p) < -growth); }
};

// Distances of a triangle's corners from a cell's faces, inward.
using CornerDepths = std::array<std::array<double, 3>, 4>;
CornerDepths corner_depths(const ConvexCell& cell, const std::array<Vec3, 3>& triangle);

// Corners must be in the order of positive volume; face i lies opposite corner i.
ConvexCell tetrahedron_cell(const std::array<Vec3, 4>& corners);

// True if the segment or triangle meets the cell grown by `growth` (shrunk where negative).
bool segment_meets(const ConvexCell& cell, double growth, const Vec3& a, const Vec3& b);
bool triangle_meets(const ConvexCell& cell, double growth, const std::array<Vec3, 3>& triangle);
// This one takes depths that were computed before, for several growths of one cell.
bool triangle_meets(const ConvexCell& cell, double growth, const std::array<Vec3, 3>& triangle,
                    const CornerDepths& depths);

// True if the triangle meets the box of half sizes `half` about `center`, by separating axes.
bool triangle_meets_box(const std::array<Vec3, 3>& triangle, const Vec3& center, const Vec3& half);

}  // namespace sinew
