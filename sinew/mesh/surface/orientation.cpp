#include "sinew/mesh/surface/orientation.h"

#include <algorithm>

#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

// +1 where triangle t runs along edge (a, b) from a to b, -1 the other way.
int direction(const Triangle& t, const std::array<int, 2>& edge) {
  for (std::size_t k = 0; k < 3; ++k)
    if (t[k] == edge[0] && t[(k + 1) % 3] == edge[1]) return 1;
  return -1;
}

struct Shell {
  std::vector<int> triangles;
  bool closed = true;      // every edge has exactly two triangles
  bool orientable = true;  // all can be oriented consistently
};

// Breadth first across edges with two triangles; reverses neighbours until they agree.
Shell grow_shell(const TriangleMesh& mesh, const MeshEdges& edges, int seed, std::vector<char>& flip,
                 std::vector<char>& visited) {
  Shell shell;
  shell.triangles.push_back(seed);
  visited[static_cast<std::size_t>(seed)] = 1;
  for (std::size_t next = 0; next < shell.triangles.size(); ++next) {
    const auto t = static_cast<std::size_t>(shell.triangles[next]);
    for (int e : edges.edge_of_triangle[t]) {
      if (e < 0) continue;
      const auto around = edges.triangles[static_cast<std::size_t>(e)];
      if (around.size() != 2) {
        shell.closed = false;
        continue;
      }
      const auto other = static_cast<std::size_t>(around[0] == static_cast<int>(t) ? around[1] : around[0]);
      const auto& edge = edges.vertices[static_cast<std::size_t>(e)];
      const bool agree = direction(mesh.triangles[t], edge) != direction(mesh.triangles[other], edge);
      const char wanted = static_cast<char>(agree ? flip[t] : !flip[t]);
      if (!visited[other]) {
        visited[other] = 1;
        flip[other] = wanted;
        shell.triangles.push_back(static_cast<int>(other));
      } else if (flip[other] != wanted) {
        shell.orientable = false;
      }
    }
  }
  return shell;
}

}  // namespace

std::vector<char> triangles_to_flip(const TriangleMesh& mesh) {
  const MeshEdges edges = mesh_edges(mesh);
  const std::size_t count = mesh.triangles.size();
  std::vector<char> flip(count, 0), visited(count, 0);
  std::vector<Shell> inverted;
  const auto corners = [&](int t) {
    const Triangle& v = mesh.triangles[static_cast<std::size_t>(t)];
    return std::array<Vec3, 3>{mesh.positions[static_cast<std::size_t>(v[0])],
                               mesh.positions[static_cast<std::size_t>(v[1])],
                               mesh.positions[static_cast<std::size_t>(v[2])]};
  };
  for (std::size_t seed = 0; seed < count; ++seed) {
    if (visited[seed]) continue;
    Shell shell = grow_shell(mesh, edges, static_cast<int>(seed), flip, visited);
    double kept_area = 0, turned_area = 0, six_volumes = 0;
    const Vec3 base = corners(shell.triangles.front())[0];
    for (int t : shell.triangles) {
      const auto [a, b, c] = corners(t);
      const bool turned = flip[static_cast<std::size_t>(t)] != 0;
      (turned ? turned_area : kept_area) += norm(area_vector(a, b, c));
      six_volumes += (turned ? -1 : 1) * dot(a - base, cross(b - base, c - base));
    }
    if (!shell.orientable) {
      for (int t : shell.triangles) flip[static_cast<std::size_t>(t)] = 0;
    } else if (shell.closed) {
      if (six_volumes < 0) inverted.push_back(std::move(shell));
    } else if (turned_area > kept_area) {
      for (int t : shell.triangles) flip[static_cast<std::size_t>(t)] ^= 1;
    }
  }
  if (inverted.empty()) return flip;

  // A shell of negative volume bounds a cavity if the space outside of it is solid.
  TriangleMesh oriented = mesh;
  for (std::size_t t = 0; t < count; ++t)
    if (flip[t]) std::swap(oriented.triangles[t][1], oriented.triangles[t][2]);
  const BoundingVolumeHierarchy tree(oriented);
  const WindingNumber winding_number(tree);
  for (const Shell& shell : inverted) {
    double solid_area = 0, total_area = 0;
    const std::size_t stride = std::max<std::size_t>(1, shell.triangles.size() / 64);
    for (std::size_t k = 0; k < shell.triangles.size(); k += stride) {
      const auto [a, b, c] = corners(shell.triangles[k]);
      Vec3 n = area_vector(a, b, c);
      if (flip[static_cast<std::size_t>(shell.triangles[k])]) n = -n;
      const double area = norm(n);
      if (area == 0) continue;
      const Vec3 beyond = (a + b + c) / 3 - n * (1e-3 * std::sqrt(area) / area);
      total_area += area;
      if (winding_number(beyond) > 0.5) solid_area += area;
    }
    if (solid_area < 0.5 * total_area)
      for (int t : shell.triangles) flip[static_cast<std::size_t>(t)] ^= 1;
  }
  return flip;
}

}  // namespace sinew
