#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "exact_math.h"
#include "sinew/base/error.h"
#include "surface.h"

namespace sinew::samples {
namespace {

std::uint64_t key(Index u, Index v) { return (static_cast<std::uint64_t>(u) << 32) | v; }

std::size_t count_islands(const Surface& surface) {
  std::vector<Index> parent(surface.position.size());
  for (Index v = 0; v < parent.size(); ++v) parent[v] = v;
  const auto find = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : surface.triangle) {
    parent[find(t[1])] = find(t[0]);
    parent[find(t[2])] = find(t[0]);
  }
  std::size_t islands = 0;
  for (Index v = 0; v < parent.size(); ++v) islands += find(v) == v;
  return islands;
}

// Largest cosine of the three angles.
double largest_cosine(const Vec3& a, const Vec3& b, const Vec3& c) {
  return std::max({dot(normalized(b - a), normalized(c - a)), dot(normalized(a - b), normalized(c - b)),
                   dot(normalized(a - c), normalized(b - c))});
}

// Angle in degrees by bisection, which is exact enough for a report.
double degrees_of_cosine(double value) {
  double low = 0, high = pi;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (cosine(middle) > value ? low : high) = middle;
  }
  return low * 180 / pi;
}

}  // namespace

Quality verify(const Surface& surface, const Solid& solid) {
  Quality quality{surface.position.size(), surface.triangle.size(), count_islands(surface), 180, {}, 0};
  std::unordered_map<std::uint64_t, Index> directed;
  double largest = -1;
  for (Index i = 0; i < surface.triangle.size(); ++i) {
    const Triangle& t = surface.triangle[i];
    const Vec3 &a = surface.position[t[0]], &b = surface.position[t[1]], &c = surface.position[t[2]];
    for (std::size_t e = 0; e < 3; ++e)
      if (!directed.emplace(key(t[e], t[(e + 1) % 3]), i).second)
        throw simulation_error("The surface is not a manifold at triangle " + std::to_string(i) + ".");
    const Vec3 area = 0.5 * cross(b - a, c - a);
    quality.area += norm(area);
    if (const double angle = largest_cosine(a, b, c); angle > largest) {
      largest = angle;
      quality.sharpest = (a + b + c) / 3;
    }
    const Vec3 centre = (a + b + c) / 3;
    if (dot(area, solid.normal(a) + solid.normal(b) + solid.normal(c)) <= 0)
      throw simulation_error("Triangle " + std::to_string(i) + " of the surface faces inward, near (" +
                             std::to_string(centre.x) + ", " + std::to_string(centre.y) + ", " +
                             std::to_string(centre.z) + ").");
  }
  quality.smallest_angle = degrees_of_cosine(largest);
  for (const auto& [edge, triangle] : directed)
    if (!directed.contains(key(static_cast<Index>(edge & 0xffffffffu), static_cast<Index>(edge >> 32))))
      throw simulation_error("The surface is open at triangle " + std::to_string(triangle) + ".");
  // Closed and oriented: V - E + F = 2 for each island without handles.
  if (quality.vertices + quality.triangles != directed.size() / 2 + 2 * quality.islands)
    throw simulation_error("The surface has a handle.");
  return quality;
}

}  // namespace sinew::samples
