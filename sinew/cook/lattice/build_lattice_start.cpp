#include "sinew/cook/lattice/build_lattice_start.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/lattice_building/coarsen_branches.h"
#include "sinew/mesh/lattice_building/coarsen_copies.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Largest difference of skin weights between copies that are merged: half the sum of differences, 0 to 1.
constexpr double alike_weights = 0.25;

std::map<int, double> weights_of(const Tetrahedron& t, std::span<const Influences> influences) {
  std::map<int, double> weights;
  for (int v : t) {
    const Influences& list = influences[index(v)];
    for (std::size_t k = 0; k < index(list.count); ++k) weights[list.joint[k]] += 0.25 * list.weight[k];
  }
  return weights;
}

double difference(const std::map<int, double>& a, const std::map<int, double>& b) {
  double sum = 0;
  for (const auto& [joint, weight] : a) sum += std::abs(weight - (b.contains(joint) ? b.at(joint) : 0.0));
  for (const auto& [joint, weight] : b) sum += a.contains(joint) ? 0.0 : weight;
  return 0.5 * sum;
}

std::vector<std::vector<int>> vertices_around(const TetrahedralMesh& mesh) {
  std::vector<std::vector<int>> around(mesh.positions.size());
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (int v : t)
      for (int w : t)
        if (v != w) around[index(v)].push_back(w);
  for (std::vector<int>& list : around) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return around;
}

std::optional<MergedMesh> merged(const VolumeMesh& fine, std::span<const Influences> influences, double near) {
  if (influences.empty()) return std::nullopt;
  const std::vector<std::vector<int>> around = vertices_around(fine.mesh);
  return merge_copies(fine.mesh, fine.lattice_tetrahedron, [&](int a, int b) {
    return difference(weights_of(fine.mesh.tetrahedra[index(a)], influences),
                      weights_of(fine.mesh.tetrahedra[index(b)], influences)) <= alike_weights &&
           are_near_along_edges(fine.mesh, around, a, b, near);
  });
}

// Centre of the surface vertices in each tetrahedron, or its own centre if there are none.
std::vector<Vec3> carried_centres(const TetrahedralMesh& mesh, const TriangleMesh& surface, std::span<const int> home) {
  std::vector<Vec3> centre(mesh.tetrahedra.size());
  std::vector<int> carried(mesh.tetrahedra.size(), 0);
  for (std::size_t v = 0; v < home.size(); ++v) {
    centre[index(home[v])] += surface.positions[v];
    ++carried[index(home[v])];
  }
  for (std::size_t t = 0; t < centre.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(mesh, t);
    centre[t] = carried[t] > 0 ? centre[t] / carried[t] : 0.25 * (p[0] + p[1] + p[2] + p[3]);
  }
  return centre;
}

}  // namespace

LatticeStart lattice_start(const VolumeMesh& fine, const TriangleMesh& surface, std::span<const Influences> influences,
                           double near_along_body) {
  TetrahedralMesh mesh = fine.mesh;
  std::vector<int> home, like;
  for (const EmbeddedPoint& p : fine.embedding.points) home.push_back(p.tetrahedron);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) like.push_back(static_cast<int>(v));
  if (std::optional<MergedMesh> one = merged(fine, influences, near_along_body)) {
    mesh = std::move(one->mesh);
    like = std::move(one->vertex);
    for (int& t : home) t = one->tetrahedron[index(t)];
  }
  const UnbranchedMesh unbranched = separate_branches(mesh, carried_centres(mesh, surface, home));
  std::vector<std::vector<int>> parts(mesh.tetrahedra.size());
  for (std::size_t t = 0; t < unbranched.tetrahedron.size(); ++t)
    parts[index(unbranched.tetrahedron[t])].push_back(static_cast<int>(t));
  LatticeStart start;
  start.mesh = unbranched.mesh;
  for (std::size_t v = 0; v < home.size(); ++v)
    start.home.push_back(embed_in_best(unbranched.mesh, parts[index(home[v])], surface.positions[v]).tetrahedron);
  if (!influences.empty())
    for (int v : unbranched.vertex) start.influences.push_back(influences[index(like[index(v)])]);
  return start;
}

}  // namespace sinew
