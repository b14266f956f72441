// A solid: vertex positions and tetrahedra of positive volume,
// dot(cross(p1 - p0, p2 - p0), p3 - p0) > 0.
#pragma once

#include <array>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

using Tetrahedron = std::array<int, 4>;

struct TetrahedralMesh {
  std::vector<Vec3> positions;          // n, metres
  std::vector<Tetrahedron> tetrahedra;  // m, indices into positions
};

// Signed volume of one tetrahedron, cubic metres.
inline double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a) / 6.0;
}

}  // namespace sinew
