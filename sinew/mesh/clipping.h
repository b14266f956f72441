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

  bool contains(const Vec3& p, double growth) const {
    for (const HalfSpace& h : faces)
      if (dot(h.normal, p) - h.offset < -growth) return false;
    return true;
  }
};

// Corners must be in the order of positive volume; face i lies opposite corner i.
ConvexCell tetrahedron_cell(const std::array<Vec3, 4>& corners);

// True if the segment or triangle meets the cell grown by `growth` (shrunk where negative).
bool segment_meets(const ConvexCell& cell, double growth, const Vec3& a, const Vec3& b);
bool triangle_meets(const ConvexCell& cell, double growth, const std::array<Vec3, 3>& triangle);

// True if the triangle meets the box of half sizes `half` about `center`, by separating axes.
bool triangle_meets_box(const std::array<Vec3, 3>& triangle, const Vec3& center, const Vec3& half);

}  // namespace sinew
