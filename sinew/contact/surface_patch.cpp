#include "sinew/contact/surface_patch.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sinew/mesh/geodesic_graph.h"
#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

// Straight links along edges, and across each edge between the opposite corners of its triangles: edges alone have few
// directions (mesh/geodesic_graph.h).
GeodesicGraph surface_graph(std::span<const Triangle> triangles, std::span<const Vec3> positions) {
  struct Side {
    std::pair<int, int> edge;
    int opposite;
  };
  std::vector<Side> sides;
  std::vector<std::pair<int, int>> links;
  const auto link = [&](int a, int b) {
    if (a == b) return;
    links.emplace_back(a, b);
    links.emplace_back(b, a);
  };
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      sides.push_back({std::minmax({t[k], t[(k + 1) % 3]}), t[(k + 2) % 3]});
      link(t[k], t[(k + 1) % 3]);
    }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.edge < b.edge; });
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (std::size_t other = s + 1; other < sides.size() && sides[other].edge == sides[s].edge; ++other)
      link(sides[s].opposite, sides[other].opposite);
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  GeodesicGraph graph;
  graph.start.assign(positions.size() + 1, 0);
  for (const auto& [from, to] : links) {
    ++graph.start[static_cast<std::size_t>(from) + 1];
    graph.neighbour.push_back(to);
    graph.length.push_back(
        distance(positions[static_cast<std::size_t>(from)], positions[static_cast<std::size_t>(to)]));
  }
  for (std::size_t v = 1; v < graph.start.size(); ++v) graph.start[v] += graph.start[v - 1];
  return graph;
}

}  // namespace

Vec3 place_of(const SurfacePoint& point, std::span<const Vec3> positions) {
  Vec3 place;
  for (std::size_t k = 0; k < 3; ++k)
    if (point.vertex[k] >= 0) place += point.weight[k] * positions[static_cast<std::size_t>(point.vertex[k])];
  return place;
}

SurfacePoint nearest_surface_point(const TriangleMesh& surface, const Vec3& point) {
  SurfacePoint nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : surface.triangles) {
    const ClosestPoint closest = closest_point_on_triangle(point, surface.positions[static_cast<std::size_t>(t[0])],
                                                           surface.positions[static_cast<std::size_t>(t[1])],
                                                           surface.positions[static_cast<std::size_t>(t[2])]);
    if (!(closest.squared_distance < least)) continue;
    least = closest.squared_distance;
    nearest = {t, closest.barycentric};
  }
  return nearest;
}

std::vector<PatchVertex> patch_around(const TriangleMesh& surface, const SurfacePoint& point, double radius) {
  std::vector<PatchVertex> patch;
  if (!(radius > 0) || point.vertex[0] < 0) return patch;
  const Vec3 middle = place_of(point, surface.positions);
  const auto position = [&](int v) { return surface.positions[static_cast<std::size_t>(v)]; };
  const auto has_middle = [&](const Triangle& t) {
    return std::all_of(point.vertex.begin(), point.vertex.end(),
                       [&](int v) { return v < 0 || std::find(t.begin(), t.end(), v) != t.end(); });
  };
  // No path along the surface is shorter than the straight line. The centre is added as a vertex, and its triangles are
  // split.
  std::vector<Triangle> triangles;
  std::vector<int> number(surface.positions.size(), -1), vertices;
  std::vector<Vec3> positions{middle};
  std::vector<double> area{0};
  for (const Triangle& t : surface.triangles) {
    const bool split = has_middle(t);
    if (!split && std::none_of(t.begin(), t.end(), [&](int v) { return distance(position(v), middle) < radius; }))
      continue;
    Triangle own;
    for (std::size_t k = 0; k < 3; ++k) {
      int& known = number[static_cast<std::size_t>(t[k])];
      if (known < 0) {
        known = static_cast<int>(positions.size());
        vertices.push_back(t[k]);
        positions.push_back(position(t[k]));
        area.push_back(0);
      }
      own[k] = known;
    }
    for (const int v : own)
      area[static_cast<std::size_t>(v)] += norm(area_vector(position(t[0]), position(t[1]), position(t[2]))) / 3;
    if (!split)
      triangles.push_back(own);
    else
      for (std::size_t k = 0; k < 3; ++k) triangles.push_back({own[k], own[(k + 1) % 3], 0});
  }
  const GeodesicGraph graph = surface_graph(triangles, positions);
  GeodesicSearch search(graph);
  search.begin(0);
  double sum = 0;
  for (int v = search.next(); v >= 0 && search.distance() < radius; v = search.next()) {
    const double r = search.distance() / radius, weight = (1 - r * r) * (1 - r * r) * area[static_cast<std::size_t>(v)];
    if (!(weight > 0)) continue;  // the middle itself, too
    patch.push_back({vertices[static_cast<std::size_t>(v) - 1], weight});
    sum += weight;
  }
  for (PatchVertex& v : patch) v.weight /= sum;
  std::sort(patch.begin(), patch.end(), [](const PatchVertex& a, const PatchVertex& b) { return a.vertex < b.vertex; });
  return patch;
}

}  // namespace sinew
