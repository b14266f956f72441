#include "sinew/mesh/control_lattice/tetrahedra_overlap.h"

#include "sinew/mesh/tetrahedron.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sinew {
namespace {

constexpr std::size_t edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// True if all of `b` is on the outer side of a face of `a`, except for `depth`.
bool face_separates(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b, double depth) {
  for (const auto& face : outward_faces) {
    const Vec3 &p = a[face[0]], normal = cross(a[face[1]] - p, a[face[2]] - p);
    double nearest = HUGE_VAL;
    for (const Vec3& q : b) nearest = std::min(nearest, dot(normal, q - p));
    if (nearest >= -depth * norm(normal)) return true;
  }
  return false;
}

bool axis_separates(const Vec3& axis, const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b, double slack) {
  double low_a = HUGE_VAL, high_a = -HUGE_VAL, low_b = HUGE_VAL, high_b = -HUGE_VAL;
  for (std::size_t k = 0; k < 4; ++k) {
    // Measured from a corner, so that no digits are lost far from the origin.
    const double x = dot(axis, a[k] - a[0]), y = dot(axis, b[k] - a[0]);
    low_a = std::min(low_a, x);
    high_a = std::max(high_a, x);
    low_b = std::min(low_b, y);
    high_b = std::max(high_b, y);
  }
  return std::min(high_a - low_b, high_b - low_a) <= slack;
}

}  // namespace

bool tetrahedra_overlap(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b, double depth) {
  if (face_separates(a, b, depth) || face_separates(b, a, depth)) return false;
  for (const auto& i : edges)
    for (const auto& j : edges) {
      const Vec3 u = a[i[1]] - a[i[0]], v = b[j[1]] - b[j[0]], axis = cross(u, v);
      const double length = norm(axis);
      if (length <= 1e-9 * norm(u) * norm(v)) continue;  // parallel edges separate no more than faces do
      if (axis_separates(axis, a, b, depth * length)) return false;
    }
  return true;
}

}  // namespace sinew
