#include "sinew/mesh/geodesic_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct GraphFace {
  std::array<int, 3> vertices;  // ascending
  int opposite;

  bool operator<(const GraphFace& other) const { return vertices < other.vertices; }
};

// True if the segment from a to b, whose ends are on either side of a triangle's plane, crosses the triangle or its
// border: its corners are then in one sense around the segment.
bool crosses(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r) {
  const double u = volume(a, b, p, q), v = volume(a, b, q, r), w = volume(a, b, r, p);
  const double rounding = 1e-12 * (std::abs(u) + std::abs(v) + std::abs(w));
  return std::min({u, v, w}) >= -rounding || std::max({u, v, w}) <= rounding;
}

std::vector<std::pair<int, int>> face_links(const TetrahedralMesh& mesh) {
  std::vector<GraphFace> faces;
  faces.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t corner = 0; corner < 4; ++corner) {
      GraphFace face{{t[(corner + 1) % 4], t[(corner + 2) % 4], t[(corner + 3) % 4]}, t[corner]};
      std::sort(face.vertices.begin(), face.vertices.end());
      faces.push_back(face);
    }
  std::stable_sort(faces.begin(), faces.end());
  std::vector<std::pair<int, int>> links;
  const auto at = [&](int v) { return mesh.positions[static_cast<std::size_t>(v)]; };
  for (std::size_t f = 0; f + 1 < faces.size(); ++f) {
    const GraphFace &one = faces[f], &other = faces[f + 1];
    if (one.vertices != other.vertices || one.opposite == other.opposite) continue;
    if (crosses(at(one.opposite), at(other.opposite), at(one.vertices[0]), at(one.vertices[1]), at(one.vertices[2])))
      links.push_back(std::minmax({one.opposite, other.opposite}));
  }
  return links;
}

}  // namespace

GeodesicGraph geodesic_graph(const TetrahedralMesh& mesh, bool through_faces) {
  const std::size_t n = mesh.positions.size();
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (const int v : mesh.tetrahedra[t])
      if (v < 0 || static_cast<std::size_t>(v) >= n)
        throw usage_error("Ways through a body: tetrahedron " + std::to_string(t) + " names vertex " +
                          std::to_string(v) + ", which the mesh does not have.");
  std::vector<std::pair<int, int>> links = through_faces ? face_links(mesh) : std::vector<std::pair<int, int>>{};
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) links.push_back(std::minmax({t[i], t[j]}));
  for (std::size_t i = links.size(); i-- > 0;) links.push_back({links[i].second, links[i].first});
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());

  GeodesicGraph graph;
  graph.start.assign(n + 1, 0);
  for (const auto& [from, to] : links) {
    ++graph.start[static_cast<std::size_t>(from) + 1];
    graph.neighbour.push_back(to);
    graph.length.push_back(
        distance(mesh.positions[static_cast<std::size_t>(from)], mesh.positions[static_cast<std::size_t>(to)]));
  }
  for (std::size_t v = 0; v < n; ++v) graph.start[v + 1] += graph.start[v];
  return graph;
}

GeodesicSearch::GeodesicSearch(const GeodesicGraph& graph) : graph_(graph), best_(graph.start.size() - 1, infinite) {}

void GeodesicSearch::begin(int source) {
  for (const int v : touched_) best_[static_cast<std::size_t>(v)] = infinite;
  touched_.assign(1, source);
  best_[static_cast<std::size_t>(source)] = 0;
  heap_.assign(1, {0, source});
}

int GeodesicSearch::next() {
  const auto later = [](const Entry& a, const Entry& b) {
    return a.distance > b.distance || (a.distance == b.distance && a.vertex > b.vertex);
  };
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry nearest = heap_.back();
    heap_.pop_back();
    const auto v = static_cast<std::size_t>(nearest.vertex);
    if (nearest.distance > best_[v]) continue;  // a shorter path was found meanwhile
    for (auto k = static_cast<std::size_t>(graph_.start[v]); k < static_cast<std::size_t>(graph_.start[v + 1]); ++k) {
      const int w = graph_.neighbour[k];
      const double length = nearest.distance + graph_.length[k];
      double& best = best_[static_cast<std::size_t>(w)];
      if (!(length < best)) continue;
      if (best == infinite) touched_.push_back(w);
      best = length;
      heap_.push_back({length, w});
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
    distance_ = nearest.distance;
    return nearest.vertex;
  }
  return -1;
}

}  // namespace sinew
