#include "sinew/session/ring_skin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace sinew {
namespace {

// The connected patch of each of the vertices: a number per vertex of the surface, -1 for all others.
std::vector<int> patches_of(const TriangleMesh& rest, std::span<const int> vertices) {
  std::vector<int> patch(rest.positions.size(), -1);
  for (const int v : vertices) patch[static_cast<std::size_t>(v)] = v;
  const auto root = [&](int v) {
    while (patch[static_cast<std::size_t>(v)] != v) {
      int& up = patch[static_cast<std::size_t>(v)];
      up = patch[static_cast<std::size_t>(up)];
      v = up;
    }
    return v;
  };
  for (const Triangle& t : rest.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (patch[static_cast<std::size_t>(a)] < 0 || patch[static_cast<std::size_t>(b)] < 0) continue;
      const int ra = root(a), rb = root(b);
      patch[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
    }
  for (const int v : vertices) patch[static_cast<std::size_t>(v)] = root(v);
  return patch;
}

}  // namespace

bool goes_around(std::span<const Vec3> points, const Vec3& centre, const Vec3& normal) {
  const Vec3 axis = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 across = normalized(cross(normal, axis)), along = cross(normal, across);
  std::vector<double> angle;
  for (const Vec3& p : points) angle.push_back(std::atan2(dot(p - centre, along), dot(p - centre, across)));
  std::sort(angle.begin(), angle.end());
  for (std::size_t k = 0; k < angle.size(); ++k) {
    const double next = k + 1 < angle.size() ? angle[k + 1] : angle[0] + 2 * std::numbers::pi;
    if (next - angle[k] >= std::numbers::pi) return false;
  }
  return !angle.empty();
}

std::vector<int> ring_vertices(const TriangleMesh& rest, const BeltSettings& belt) {
  const Vec3 normal = normalized(belt.normal);
  std::vector<int> near;
  for (std::size_t v = 0; v < rest.positions.size(); ++v) {
    const Vec3 from = rest.positions[v] - belt.point;
    if (std::abs(dot(from, normal)) <= 0.5 * belt.width && norm(from) <= belt.radius)
      near.push_back(static_cast<int>(v));
  }
  const std::vector<int> patch = patches_of(rest, near);
  std::map<int, std::vector<Vec3>> points;
  for (const int v : near)
    points[patch[static_cast<std::size_t>(v)]].push_back(rest.positions[static_cast<std::size_t>(v)]);
  std::set<int> worn;
  for (const auto& [number, positions] : points)
    if (goes_around(positions, belt.point, normal)) worn.insert(number);
  std::vector<int> ring;
  for (const int v : near)
    if (worn.contains(patch[static_cast<std::size_t>(v)])) ring.push_back(v);
  return ring.empty() ? near : ring;
}

std::vector<double> area_shares(const TriangleMesh& rest, std::span<const int> vertices) {
  std::vector<double> area(rest.positions.size(), 0.0), share;
  for (const Triangle& t : rest.triangles) {
    const Vec3& a = rest.positions[static_cast<std::size_t>(t[0])];
    const Vec3 across =
        cross(rest.positions[static_cast<std::size_t>(t[1])] - a, rest.positions[static_cast<std::size_t>(t[2])] - a);
    for (const int v : t) area[static_cast<std::size_t>(v)] += norm(across) / 6;
  }
  double all = 0;
  for (const int v : vertices) {
    share.push_back(area[static_cast<std::size_t>(v)]);
    all += share.back();
  }
  for (double& s : share) s = all > 0 ? s / all : 1 / static_cast<double>(vertices.size());
  return share;
}

std::vector<SectionLine> ring_lines(const TriangleMesh& rest, const BeltSettings& belt) {
  const Vec3 normal = normalized(belt.normal);
  std::vector<std::pair<double, SectionLine>> worn;
  for (SectionLine& line : plane_section(rest, belt.point, normal)) {
    const std::vector<Vec3> places = places_of(line, rest.positions);
    const bool near = std::all_of(places.begin(), places.end(),
                                  [&](const Vec3& place) { return distance(place, belt.point) <= belt.radius; });
    if (near && goes_around(places, belt.point, normal))
      worn.emplace_back(length_of(places, line.closed), std::move(line));
  }
  std::stable_sort(worn.begin(), worn.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<SectionLine> lines;
  for (auto& [length, line] : worn) lines.push_back(std::move(line));
  return lines;
}

}  // namespace sinew
