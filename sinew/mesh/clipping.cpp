#include "sinew/mesh/clipping.h"

#include "sinew/mesh/tetrahedron.h"

#include <algorithm>

namespace sinew {

ConvexCell tetrahedron_cell(const std::array<Vec3, 4>& p) {
  // Face i with its corners ordered so that the normal points at corner i.
  ConvexCell cell;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 a = p[outward_faces[i][0]], b = p[outward_faces[i][1]], c = p[outward_faces[i][2]];
    Vec3 n = normalized(cross(b - a, c - a));
    if (dot(n, p[i] - a) < 0) n = -n;
    cell.faces[i] = {n, dot(n, a)};
  }
  return cell;
}

bool segment_meets(const ConvexCell& cell, double growth, const Vec3& a, const Vec3& b) {
  double from = 0, to = 1;
  for (const HalfSpace& h : cell.faces) {
    const double da = dot(h.normal, a) - h.offset + growth, db = dot(h.normal, b) - h.offset + growth;
    if (da < 0 && db < 0) return false;
    if (da < 0) from = std::max(from, da / (da - db));
    if (db < 0) to = std::min(to, da / (da - db));
  }
  return from <= to;
}

CornerDepths corner_depths(const ConvexCell& cell, const std::array<Vec3, 3>& triangle) {
  CornerDepths depths;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 3; ++k) depths[i][k] = dot(cell.faces[i].normal, triangle[k]) - cell.faces[i].offset;
  return depths;
}

bool triangle_meets(const ConvexCell& cell, double growth, const std::array<Vec3, 3>& triangle) {
  return triangle_meets(cell, growth, triangle, corner_depths(cell, triangle));
}

bool triangle_meets(const ConvexCell& cell, double growth, const std::array<Vec3, 3>& triangle,
                    const CornerDepths& depths) {
  bool all_inside[3] = {true, true, true};
  for (std::size_t i = 0; i < 4; ++i) {
    bool outside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      if (depths[i][k] + growth < 0)
        all_inside[k] = false;
      else
        outside = false;
    }
    if (outside) return false;
  }
  if (all_inside[0] || all_inside[1] || all_inside[2]) return true;
  // Clip the triangle against one face after another (Sutherland and Hodgman).
  std::array<Vec3, 8> polygon{triangle[0], triangle[1], triangle[2]}, clipped;
  std::size_t count = 3;
  for (const HalfSpace& h : cell.faces) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3 a = polygon[k], b = polygon[(k + 1) % count];
      const double da = dot(h.normal, a) - h.offset + growth, db = dot(h.normal, b) - h.offset + growth;
      if (da >= 0) clipped[kept++] = a;
      if ((da >= 0) != (db >= 0)) clipped[kept++] = a + (da / (da - db)) * (b - a);
    }
    if (kept == 0) return false;
    polygon = clipped;
    count = kept;
  }
  return true;
}

bool triangle_meets_box(const std::array<Vec3, 3>& triangle, const Vec3& center, const Vec3& half) {
  const Vec3 v[3] = {triangle[0] - center, triangle[1] - center, triangle[2] - center};
  const auto separated = [&](const Vec3& axis) {
    const double p0 = dot(axis, v[0]), p1 = dot(axis, v[1]), p2 = dot(axis, v[2]);
    const double radius = half.x * std::fabs(axis.x) + half.y * std::fabs(axis.y) + half.z * std::fabs(axis.z);
    return std::min({p0, p1, p2}) > radius || std::max({p0, p1, p2}) < -radius;
  };
  const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3& axis : axes)
    if (separated(axis)) return false;
  const Vec3 edges[3] = {v[1] - v[0], v[2] - v[1], v[0] - v[2]};
  if (separated(cross(edges[0], edges[1]))) return false;
  for (const Vec3& edge : edges)
    for (const Vec3& axis : axes)
      if (separated(cross(edge, axis))) return false;
  return true;
}

}  // namespace sinew
