#include "sinew/picture/normals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sinew {
namespace {

// For each vertex the first vertex, in the order of coordinates, at the same position.
std::vector<int> merged_vertices(const std::vector<Vec3>& positions) {
  std::vector<int> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int a, int b) {
    const Vec3 &p = positions[static_cast<std::size_t>(a)], &q = positions[static_cast<std::size_t>(b)];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    if (p.z != q.z) return p.z < q.z;
    return a < b;
  };
  std::sort(order.begin(), order.end(), before);
  std::vector<int> merged(positions.size());
  int first = -1;
  for (int vertex : order) {
    if (first < 0 || !(positions[static_cast<std::size_t>(first)] == positions[static_cast<std::size_t>(vertex)]))
      first = vertex;
    merged[static_cast<std::size_t>(vertex)] = first;
  }
  return merged;
}

double corner_angle(const TriangleMesh& surface, const Triangle& triangle, std::size_t corner) {
  const auto at = [&](std::size_t i) { return surface.positions[static_cast<std::size_t>(triangle[i % 3])]; };
  const Vec3 a = normalized(at(corner + 1) - at(corner)), b = normalized(at(corner + 2) - at(corner));
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

}  // namespace

std::vector<std::array<Vec3, 3>> corner_normals(const TriangleMesh& surface, double crease_angle) {
  const std::vector<Triangle>& triangles = surface.triangles;
  const std::vector<int> merged = merged_vertices(surface.positions);
  const auto point_of = [&](std::size_t triangle, std::size_t corner) {
    return static_cast<std::size_t>(merged[static_cast<std::size_t>(triangles[triangle][corner])]);
  };

  std::vector<Vec3> face_normal(triangles.size());
  std::vector<std::array<double, 3>> angle(triangles.size());
  std::vector<std::size_t> start(surface.positions.size() + 1);  // of each point's corners in `corners`
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec3& a = surface.positions[static_cast<std::size_t>(triangles[t][0])];
    const Vec3& b = surface.positions[static_cast<std::size_t>(triangles[t][1])];
    const Vec3& c = surface.positions[static_cast<std::size_t>(triangles[t][2])];
    face_normal[t] = normalized(cross(b - a, c - a));
    for (std::size_t corner = 0; corner < 3; ++corner) {
      angle[t][corner] = corner_angle(surface, triangles[t], corner);
      ++start[point_of(t, corner) + 1];
    }
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::size_t> corners(3 * triangles.size()), next(start.begin(), start.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t corner = 0; corner < 3; ++corner) corners[next[point_of(t, corner)]++] = 3 * t + corner;

  const double least_cosine = std::cos(crease_angle);
  std::vector<std::array<Vec3, 3>> normals(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t point = point_of(t, corner);
      Vec3 sum;
      for (std::size_t i = start[point]; i < start[point + 1]; ++i) {
        const Vec3& normal = face_normal[corners[i] / 3];
        if (dot(normal, face_normal[t]) >= least_cosine) sum += angle[corners[i] / 3][corners[i] % 3] * normal;
      }
      normals[t][corner] = squared_norm(sum) > 0 ? normalized(sum) : face_normal[t];
    }
  return normals;
}

}  // namespace sinew
