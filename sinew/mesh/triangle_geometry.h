// Geometry of single triangles.
#pragma once

#include <array>

#include "sinew/linalg/small.h"

namespace sinew {

// Half the cross product of two edges: direction of the normal, length = area.
inline Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) { return cross(b - a, c - a) * 0.5; }

struct ClosestPoint {
  int triangle = -1;  // -1: no triangle within the search radius
  Vec3 point;
  std::array<double, 3> barycentric{0, 0, 0};  // weights of the triangle's corners, not negative, sum 1
  double squared_distance = 0;
};

// Closest point of triangle a, b, c, which may be degenerate, to p; `triangle` is left at -1.
ClosestPoint closest_point_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// Signed solid angle of triangle a, b, c seen from the origin, in [-2 pi, 2 pi]; positive if the back of the triangle
// is seen (Van Oosterom and Strackee 1983, equation 8). 0 for the origin in its plane.
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace sinew
