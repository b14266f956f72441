#include "sinew/mesh/surface/defects.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/triangle_intersection.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr double flatness = 1e-9;

bool degenerate(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest = std::max({distance(a, b), distance(b, c), distance(c, a)});
  return 2 * norm(area_vector(a, b, c)) <= flatness * longest * longest;
}

void find_duplicates(const TriangleMesh& mesh, SurfaceDefects& defects) {
  std::vector<std::pair<Triangle, int>> keys;
  keys.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle v = mesh.triangles[t];
    std::sort(v.begin(), v.end());
    keys.emplace_back(v, static_cast<int>(t));
  }
  std::sort(keys.begin(), keys.end());
  int first = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i].first != keys[i - 1].first)
      first = keys[i].second;
    else
      defects.duplicate_triangles.push_back({keys[i].second, first});
  }
  std::sort(defects.duplicate_triangles.begin(), defects.duplicate_triangles.end());
}

bool runs_along(const Triangle& t, int from, int to) {
  for (std::size_t k = 0; k < 3; ++k)
    if (t[k] == from && t[(k + 1) % 3] == to) return true;
  return false;
}

// Walks along edges with one triangle until they close, or end at a vertex without another such edge.
std::vector<std::vector<int>> chain_loops(std::vector<std::array<int, 2>> edges, std::size_t vertex_count) {
  Rows edges_at;
  edges_at.offsets.assign(vertex_count + 1, 0);
  for (const auto& e : edges)
    for (int v : e) ++edges_at.offsets[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) edges_at.offsets[v + 1] += edges_at.offsets[v];
  edges_at.items.resize(2 * edges.size());
  std::vector<int> next(edges_at.offsets.begin(), edges_at.offsets.end() - 1);
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (int v : edges[e])
      edges_at.items[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<int>(e);
  std::vector<char> used(edges.size(), 0);
  std::vector<std::vector<int>> loops;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (used[e]) continue;
    used[e] = 1;
    std::vector<int> loop{edges[e][0]};
    int at = edges[e][1];
    while (at != loop.front()) {
      loop.push_back(at);
      int found = -1;
      for (int candidate : edges_at[static_cast<std::size_t>(at)])
        if (!used[static_cast<std::size_t>(candidate)]) {
          found = candidate;
          break;
        }
      if (found < 0) break;
      used[static_cast<std::size_t>(found)] = 1;
      const auto& edge = edges[static_cast<std::size_t>(found)];
      at = edge[0] == at ? edge[1] : edge[0];
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

void find_edge_defects(const TriangleMesh& mesh, SurfaceDefects& defects) {
  const MeshEdges edges = mesh_edges(mesh);
  std::vector<std::array<int, 2>> boundary;
  for (std::size_t e = 0; e < edges.vertices.size(); ++e) {
    const auto around = edges.triangles[e];
    const auto [a, b] = edges.vertices[e];
    const Triangle& first = mesh.triangles[static_cast<std::size_t>(around[0])];
    if (around.size() == 1) {
      // In the direction of the missing neighbour.
      boundary.push_back(runs_along(first, a, b) ? std::array<int, 2>{b, a} : std::array<int, 2>{a, b});
    } else if (around.size() > 2) {
      defects.non_manifold_edges.push_back(edges.vertices[e]);
    } else if (runs_along(first, a, b) == runs_along(mesh.triangles[static_cast<std::size_t>(around[1])], a, b)) {
      defects.inconsistent_edges.push_back(edges.vertices[e]);
    }
  }
  defects.boundary_edges = boundary.size();
  defects.boundary_loops = chain_loops(std::move(boundary), mesh.positions.size());
}

void find_self_intersections(const TriangleMesh& mesh, const std::vector<int>& original, SurfaceDefects& defects) {
  const BoundingVolumeHierarchy tree(mesh);
  const std::size_t grain = 256;
  std::vector<std::vector<std::array<int, 2>>> chunks((mesh.triangles.size() + grain - 1) / grain);
  parallel_chunks(mesh.triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      Box box;
      for (int v : mesh.triangles[t]) box.include(mesh.positions[static_cast<std::size_t>(v)]);
      tree.for_each_overlapping(box, [&](int other) {
        if (other > static_cast<int>(t) && triangles_cross(mesh, static_cast<int>(t), other))
          chunks[begin / grain].push_back({original[t], original[static_cast<std::size_t>(other)]});
      });
    }
  });
  for (const auto& chunk : chunks)
    defects.self_intersections.insert(defects.self_intersections.end(), chunk.begin(), chunk.end());
  std::sort(defects.self_intersections.begin(), defects.self_intersections.end());
}

void find_islands(const TriangleMesh& mesh, const std::vector<int>& original, std::size_t triangle_count,
                  SurfaceDefects& defects) {
  DisjointSets sets(mesh.positions.size());
  for (const Triangle& t : mesh.triangles) {
    sets.unite(t[0], t[1]);
    sets.unite(t[0], t[2]);
  }
  std::vector<int> number(mesh.positions.size(), -1);
  defects.island.assign(triangle_count, -1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    int& n = number[static_cast<std::size_t>(sets.find(mesh.triangles[t][0]))];
    if (n < 0) n = defects.islands++;
    defects.island[static_cast<std::size_t>(original[t])] = n;
  }
}

}  // namespace

bool SurfaceDefects::none() const {
  return non_finite_vertices.empty() && unreferenced_vertices.empty() && invalid_triangles.empty() &&
         degenerate_triangles.empty() && duplicate_triangles.empty() && non_manifold_edges.empty() &&
         inconsistent_edges.empty() && boundary_edges == 0 && self_intersections.empty();
}

SurfaceDefects find_defects(const TriangleMesh& mesh) {
  SurfaceDefects defects;
  const auto vertex_count = static_cast<int>(mesh.positions.size());
  std::vector<char> finite(mesh.positions.size()), referenced(mesh.positions.size(), 0);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    finite[v] = is_finite(mesh.positions[v]);
    if (!finite[v]) defects.non_finite_vertices.push_back(static_cast<int>(v));
  }
  // `valid`: triangles with valid indices and positions; `proper`: those of them that have area.
  TriangleMesh valid, proper;
  valid.positions = proper.positions = mesh.positions;
  std::vector<int> valid_original, proper_original;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    if (std::any_of(v.begin(), v.end(), [&](int i) { return i < 0 || i >= vertex_count; })) {
      defects.invalid_triangles.push_back(static_cast<int>(t));
      continue;
    }
    for (int i : v) referenced[static_cast<std::size_t>(i)] = 1;
    if (!finite[static_cast<std::size_t>(v[0])] || !finite[static_cast<std::size_t>(v[1])] ||
        !finite[static_cast<std::size_t>(v[2])])
      continue;
    valid.triangles.push_back(v);
    valid_original.push_back(static_cast<int>(t));
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0] ||
        degenerate(mesh.positions[static_cast<std::size_t>(v[0])], mesh.positions[static_cast<std::size_t>(v[1])],
                   mesh.positions[static_cast<std::size_t>(v[2])])) {
      defects.degenerate_triangles.push_back(static_cast<int>(t));
    } else {
      proper.triangles.push_back(v);
      proper_original.push_back(static_cast<int>(t));
    }
  }
  for (std::size_t v = 0; v < referenced.size(); ++v)
    if (!referenced[v]) defects.unreferenced_vertices.push_back(static_cast<int>(v));
  find_duplicates(proper, defects);
  for (auto& pair : defects.duplicate_triangles)
    for (int& t : pair) t = proper_original[static_cast<std::size_t>(t)];
  find_edge_defects(valid, defects);
  // Positions that are not finite do not matter for unused vertices: the tree contains only triangles.
  find_self_intersections(proper, proper_original, defects);
  find_islands(valid, valid_original, mesh.triangles.size(), defects);
  return defects;
}

}  // namespace sinew
