#include "sinew/mesh/topology.h"

#include <algorithm>
#include <numeric>

namespace sinew {

MeshEdges mesh_edges(const TriangleMesh& mesh) {
  struct Side {
    std::array<int, 2> vertices;
    int triangle, corner;
  };
  // Counting sort by the smaller vertex, then a sort of each short row: faster than sorting everything.
  std::vector<std::size_t> start(mesh.positions.size() + 1);
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      if (t[k] != t[(k + 1) % 3]) ++start[static_cast<std::size_t>(std::min(t[k], t[(k + 1) % 3])) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Side> sides(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = mesh.triangles[i][k], b = mesh.triangles[i][(k + 1) % 3];
      if (a == b) continue;
      const std::array<int, 2> vertices{std::min(a, b), std::max(a, b)};
      sides[next[static_cast<std::size_t>(vertices[0])]++] = {vertices, static_cast<int>(i), static_cast<int>(k)};
    }
  MeshEdges edges;
  edges.edge_of_triangle.assign(mesh.triangles.size(), {-1, -1, -1});
  edges.vertices.reserve(sides.size() / 2);
  edges.triangles.items.reserve(sides.size());
  for (std::size_t v = 0; v + 1 < start.size(); ++v) {
    const auto begin = sides.begin() + static_cast<std::ptrdiff_t>(start[v]);
    const auto end = sides.begin() + static_cast<std::ptrdiff_t>(start[v + 1]);
    std::sort(begin, end, [](const Side& a, const Side& b) {
      if (a.vertices[1] != b.vertices[1]) return a.vertices[1] < b.vertices[1];
      return a.triangle != b.triangle ? a.triangle < b.triangle : a.corner < b.corner;
    });
    for (auto side = begin; side != end; ++side) {
      if (side == begin || side->vertices != (side - 1)->vertices) {
        if (!edges.vertices.empty()) edges.triangles.offsets.push_back(static_cast<int>(edges.triangles.items.size()));
        edges.vertices.push_back(side->vertices);
      }
      edges.edge_of_triangle[static_cast<std::size_t>(side->triangle)][static_cast<std::size_t>(side->corner)] =
          static_cast<int>(edges.vertices.size()) - 1;
      edges.triangles.items.push_back(side->triangle);
    }
  }
  if (!edges.vertices.empty()) edges.triangles.offsets.push_back(static_cast<int>(edges.triangles.items.size()));
  return edges;
}

Rows triangles_around_vertices(const TriangleMesh& mesh) {
  Rows rows;
  rows.offsets.assign(mesh.positions.size() + 1, 0);
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const bool repeated = (k > 0 && t[k] == t[0]) || (k > 1 && t[k] == t[1]);
      if (!repeated) ++rows.offsets[static_cast<std::size_t>(t[k]) + 1];
    }
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.items.resize(static_cast<std::size_t>(rows.offsets.back()));
  std::vector<int> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const Triangle& t = mesh.triangles[i];
      const bool repeated = (k > 0 && t[k] == t[0]) || (k > 1 && t[k] == t[1]);
      if (!repeated) rows.items[static_cast<std::size_t>(next[static_cast<std::size_t>(t[k])]++)] = static_cast<int>(i);
    }
  return rows;
}

}  // namespace sinew
