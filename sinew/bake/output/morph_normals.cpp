#include "sinew/bake/output/morph_normals.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sinew {
namespace {

// Index of the first vertex with the same position and normal, per vertex.
std::vector<int> weld_by_position_and_normal(const Part& part) {
  const std::vector<Vec3>& positions = part.surface.positions;
  const auto key = [&](int vertex) {
    const Vec3& p = positions[static_cast<std::size_t>(vertex)];
    const Vec3& n = part.normals[static_cast<std::size_t>(vertex)];
    return std::array<double, 6>{p.x, p.y, p.z, n.x, n.y, n.z};
  };
  std::vector<int> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<int> first(positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    first[static_cast<std::size_t>(order[i])] = same ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  return first;
}

std::vector<Vec3> fan_normals(const TriangleMesh& surface, const std::vector<int>& weld,
                              std::span<const Vec3> positions) {
  std::vector<Vec3> normals(positions.size());
  for (const Triangle& triangle : surface.triangles) {
    const Vec3& a = positions[static_cast<std::size_t>(triangle[0])];
    const Vec3 area = cross(positions[static_cast<std::size_t>(triangle[1])] - a,
                            positions[static_cast<std::size_t>(triangle[2])] - a);
    for (int corner : triangle) normals[static_cast<std::size_t>(weld[static_cast<std::size_t>(corner)])] += area;
  }
  return normals;
}

// The smallest rotation from unit vector a to unit vector b, applied to v (Rodrigues' formula).
Vec3 turned_normal(const Vec3& a, const Vec3& b, const Vec3& v) {
  const Vec3 axis = cross(a, b);
  const double cosine = dot(a, b);
  if (cosine < -0.999999) return v;  // turned inside out: any axis would do
  return v * cosine + cross(axis, v) + axis * (dot(axis, v) / (1 + cosine));
}

std::vector<Vec3> moved_by(const Part& part, std::span<const float> position) {
  std::vector<Vec3> moved = part.surface.positions;
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] += Vec3{position[3 * i], position[3 * i + 1], position[3 * i + 2]};
  return moved;
}

// Sums over the triangles around a vertex: twice their areas, and these times the derivatives of the displacement by
// the plane and the normal; zero where no corner moves.
struct Fan {
  double area = 0;
  Mat3 gradient = Mat3::zero();
};

std::vector<Fan> displaced_fans(const TriangleMesh& surface, const std::vector<int>& weld,
                                const std::vector<Vec3>& moved) {
  std::vector<Fan> fans(moved.size());
  for (const Triangle& triangle : surface.triangles) {
    const auto edge = [&](const std::vector<Vec3>& positions, std::size_t corner) {
      return positions[static_cast<std::size_t>(triangle[corner])] - positions[static_cast<std::size_t>(triangle[0])];
    };
    const Vec3 a = edge(surface.positions, 1), b = edge(surface.positions, 2), normal = normalized(cross(a, b));
    if (normal == Vec3{}) continue;
    const Vec3 moved_a = edge(moved, 1), moved_b = edge(moved, 2), area = cross(a, b);
    const Mat3 gradient = outer(moved_a - a, cross(b, normal)) + outer(moved_b - b, cross(normal, a)) +
                          outer(normalized(cross(moved_a, moved_b)) - normal, area);
    for (const int corner : triangle) {
      Fan& fan = fans[static_cast<std::size_t>(weld[static_cast<std::size_t>(corner)])];
      fan.area += norm(area);
      fan.gradient += gradient;
    }
  }
  return fans;
}

}  // namespace

std::vector<float> normal_offsets(const Part& part, std::span<const float> position) {
  const std::vector<int> weld = weld_by_position_and_normal(part);
  const std::vector<Vec3> moved = moved_by(part, position);
  const std::vector<Vec3> before = fan_normals(part.surface, weld, part.surface.positions);
  const std::vector<Vec3> after = fan_normals(part.surface, weld, moved);

  std::vector<float> offsets(position.size(), 0.0F);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const auto fan = static_cast<std::size_t>(weld[i]);
    const Vec3 a = normalized(before[fan]), b = normalized(after[fan]);
    if (a == Vec3{} || b == Vec3{}) continue;
    const Vec3 offset = turned_normal(a, b, part.normals[i]) - part.normals[i];
    for (std::size_t axis = 0; axis < 3; ++axis) offsets[3 * i + axis] = static_cast<float>(offset[axis]);
  }
  return offsets;
}

std::vector<float> tangent_offsets(const Part& part, std::span<const Vec3> tangents, std::span<const float> position,
                                   std::span<const float> normal) {
  const std::vector<int> weld = weld_by_position_and_normal(part);
  const std::vector<Fan> fans = displaced_fans(part.surface, weld, moved_by(part, position));
  std::vector<float> offsets(position.size(), 0.0F);
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    const Fan& fan = fans[static_cast<std::size_t>(weld[i])];
    if (fan.gradient == Mat3::zero()) continue;
    const Vec3 up = normalized(part.normals[i] + Vec3{normal[3 * i], normal[3 * i + 1], normal[3 * i + 2]});
    const Vec3 turned = fan.area * tangents[i] + fan.gradient * tangents[i];
    const Vec3 tangent = normalized(turned - dot(turned, up) * up);
    if (tangent == Vec3{}) continue;
    const Vec3 offset = tangent - tangents[i];
    for (std::size_t axis = 0; axis < 3; ++axis) offsets[3 * i + axis] = static_cast<float>(offset[axis]);
  }
  return offsets;
}

}  // namespace sinew
