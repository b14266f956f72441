#include "sinew/mesh/surface/triangle_intersection.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double relative_tolerance = 1e-9;

using Corners = std::array<Vec3, 3>;

// True if the segment (p, q) passes through the interior of triangle v. Distances below `tolerance` count as on the
// plane or on the border, which is contact and not crossing.
bool segment_crosses(const Vec3& p, const Vec3& q, const Corners& v, double tolerance) {
  const Vec3 n = cross(v[1] - v[0], v[2] - v[0]);
  const double length = norm(n);
  if (length == 0) return false;
  const double dp = dot(n, p - v[0]) / length, dq = dot(n, q - v[0]) / length;
  if (!((dp > tolerance && dq < -tolerance) || (dp < -tolerance && dq > tolerance))) return false;
  const Vec3 x = p + dp / (dp - dq) * (q - p);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = v[(k + 1) % 3] - v[k];
    // Signed distance of x from the edge's line, within the plane.
    if (dot(cross(edge, x - v[k]), n) <= tolerance * length * norm(edge)) return false;
  }
  return true;
}

// True if two triangles in one plane with normal n overlap by more than the tolerance (separating axes).
bool coplanar_overlap(const Corners& a, const Corners& b, const Vec3& n, double tolerance) {
  for (const Corners* owner : {&a, &b})
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 axis = normalized(cross(n, (*owner)[(k + 1) % 3] - (*owner)[k]));
      double low_a = HUGE_VAL, high_a = -HUGE_VAL, low_b = HUGE_VAL, high_b = -HUGE_VAL;
      for (std::size_t i = 0; i < 3; ++i) {
        const double pa = dot(axis, a[i]), pb = dot(axis, b[i]);
        low_a = std::min(low_a, pa), high_a = std::max(high_a, pa);
        low_b = std::min(low_b, pb), high_b = std::max(high_b, pb);
      }
      if (high_a <= low_b + tolerance || high_b <= low_a + tolerance) return false;
    }
  return true;
}

}  // namespace

bool triangles_cross(const TriangleMesh& mesh, int s, int t) {
  const Triangle &a = mesh.triangles[static_cast<std::size_t>(s)], &b = mesh.triangles[static_cast<std::size_t>(t)];
  // Relative to one of the triangles' corners, so that no digits are lost far from the origin.
  const Vec3 base = mesh.positions[static_cast<std::size_t>(a[0])];
  Corners p, q;
  double size = 0;
  int shared = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    p[k] = mesh.positions[static_cast<std::size_t>(a[k])] - base;
    q[k] = mesh.positions[static_cast<std::size_t>(b[k])] - base;
    size = std::max({size, norm(p[k]), norm(q[k])});
    shared += std::find(b.begin(), b.end(), a[k]) != b.end();
  }
  if (shared == 3) return false;  // a duplicate, reported as such
  const double tolerance = relative_tolerance * size;
  const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
  const double length = norm(n);
  double farthest = 0;
  for (const Vec3& x : q) farthest = std::max(farthest, length > 0 ? std::fabs(dot(n, x - p[0])) / length : 0.0);
  if (farthest <= tolerance) return length > 0 && coplanar_overlap(p, q, n / length, tolerance);
  if (shared == 2) return false;  // two planes intersect only in the shared edge
  const auto in = [](const Triangle& triangle, int v) {
    return std::find(triangle.begin(), triangle.end(), v) != triangle.end();
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    if (!in(b, a[k]) && !in(b, a[next]) && segment_crosses(p[k], p[next], q, tolerance)) return true;
    if (!in(a, b[k]) && !in(a, b[next]) && segment_crosses(q[k], q[next], p, tolerance)) return true;
  }
  return false;
}

}  // namespace sinew
