#include "sinew/mesh/surface/plane_section.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace sinew {
namespace {

using Edge = std::array<int, 2>;  // a vertex behind the plane, and one that is not

// The crossed edges of a triangle; empty if the plane does not cut it.
std::vector<Edge> crossed_edges(const Triangle& triangle, std::span<const double> height) {
  std::vector<Edge> crossed;
  for (std::size_t k = 0; k < 3; ++k) {
    const int a = triangle[k], b = triangle[(k + 1) % 3];
    const bool behind_a = height[static_cast<std::size_t>(a)] < 0, behind_b = height[static_cast<std::size_t>(b)] < 0;
    if (behind_a != behind_b) crossed.push_back(behind_a ? Edge{a, b} : Edge{b, a});
  }
  return crossed;
}

// The cut as a graph: its nodes are crossed edges, and each triangle that is cut connects two of them.
struct Cut {
  std::map<Edge, std::vector<int>> around;  // triangles around a crossed edge
  std::map<int, std::vector<Edge>> of;      // the two crossed edges of a triangle that has not been passed yet
};

Cut cut_of(const TriangleMesh& surface, std::span<const double> height) {
  Cut cut;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    std::vector<Edge> crossed = crossed_edges(surface.triangles[t], height);
    if (crossed.size() != 2 || crossed[0] == crossed[1]) continue;
    for (const Edge& edge : crossed) cut.around[edge].push_back(static_cast<int>(t));
    cut.of[static_cast<int>(t)] = std::move(crossed);
  }
  return cut;
}

// Follows the cut from an edge, which it passes by `triangle`, as far as it goes.
std::vector<Edge> follow(Cut& cut, Edge edge, int triangle) {
  std::vector<Edge> line;
  while (triangle >= 0) {
    const auto passed = cut.of.find(triangle);
    edge = passed->second[0] == edge ? passed->second[1] : passed->second[0];
    cut.of.erase(passed);
    line.push_back(edge);
    const std::vector<int>& around = cut.around[edge];
    triangle = -1;
    if (around.size() == 2)
      for (const int next : around)
        if (cut.of.contains(next)) triangle = next;
  }
  return line;
}

}  // namespace

std::vector<SectionLine> plane_section(const TriangleMesh& surface, const Vec3& point, const Vec3& normal) {
  std::vector<double> height;
  height.reserve(surface.positions.size());
  for (const Vec3& p : surface.positions) height.push_back(dot(p - point, normal));
  Cut cut = cut_of(surface, height);
  std::vector<SectionLine> lines;
  while (!cut.of.empty()) {
    const int first = cut.of.begin()->first;
    const Edge start = cut.of.begin()->second[0];
    std::vector<Edge> edges = follow(cut, start, first);
    SectionLine line;
    line.closed = edges.back() == start;
    if (!line.closed) {  // the part on the other side of where it began
      std::vector<Edge> before;
      const std::vector<int>& around = cut.around[start];
      if (around.size() == 2)
        for (const int next : around)
          if (before.empty() && cut.of.contains(next)) before = follow(cut, start, next);
      std::reverse(before.begin(), before.end());
      before.push_back(start);
      edges.insert(edges.begin(), before.begin(), before.end());
    }
    for (const auto& [a, b] : edges) {
      const double below = -height[static_cast<std::size_t>(a)], above = height[static_cast<std::size_t>(b)];
      line.points.push_back({a, b, below / (below + above)});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Vec3 place_of(const EdgePoint& point, std::span<const Vec3> positions) {
  return (1 - point.t) * positions[static_cast<std::size_t>(point.a)] +
         point.t * positions[static_cast<std::size_t>(point.b)];
}

std::vector<Vec3> places_of(const SectionLine& line, std::span<const Vec3> positions) {
  std::vector<Vec3> places;
  for (const EdgePoint& point : line.points) places.push_back(place_of(point, positions));
  return places;
}

double length_of(std::span<const Vec3> line, bool closed) {
  double length = 0;
  for (std::size_t k = 0; k + 1 < line.size(); ++k) length += distance(line[k], line[k + 1]);
  if (closed && line.size() > 1) length += distance(line.back(), line.front());
  return length;
}

}  // namespace sinew
