#include "sinew/cook/flesh/parts_in_body.h"

#include <algorithm>

#include "sinew/base/index.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr double rigid_stiffness = 20;  // that of rigid parts, relative to flesh

}  // namespace

Embedding carried_by_flesh(const TetrahedralMesh& mesh, const TriangleMesh& rest, const KeptShape& parts,
                           const Embedding& embedding) {
  Embedding carried = embedding;
  std::vector<int> piece;
  measure_quality(mesh, &piece);
  const auto piece_of = [&](int vertex) { return piece[index(embedding.points[index(vertex)].tetrahedron)]; };
  std::vector<int> moved;
  std::vector<const std::vector<int>*> hosts;  // of each moved vertex: pieces of the skin that its part stands on
  std::vector<std::vector<int>> under(parts.rigid.size());
  for (std::size_t g = 0; g < parts.rigid.size(); ++g) {
    for (const Foot& foot : parts.footing[g].feet)
      for (const int corner : foot.corners) under[g].push_back(piece_of(corner));
    std::sort(under[g].begin(), under[g].end());
    under[g].erase(std::unique(under[g].begin(), under[g].end()), under[g].end());
    if (under[g].empty()) continue;
    for (const int v : parts.rigid[g].vertices)
      if (!std::binary_search(under[g].begin(), under[g].end(), piece_of(v))) {
        moved.push_back(v);
        hosts.push_back(&under[g]);
      }
  }
  if (moved.empty()) return carried;
  std::vector<Vec3> places;
  for (const int v : moved) places.push_back(rest.positions[index(v)]);
  const Embedding found = embed_points(mesh, places, [&](std::size_t k, int tetrahedron) {
    return std::binary_search(hosts[k]->begin(), hosts[k]->end(), piece[index(tetrahedron)]);
  });
  for (std::size_t k = 0; k < moved.size(); ++k)
    if (found.points[k].tetrahedron >= 0) carried.points[index(moved[k])] = found.points[k];
  return carried;
}

std::vector<double> rigid_stiffening(const TetrahedralMesh& mesh, const KeptShape& parts, const Embedding& embedding) {
  std::vector<char> rigid(embedding.points.size(), 0);
  for (const RigidGroup& part : parts.rigid)
    for (const int v : part.vertices) rigid[index(v)] = 1;
  std::vector<double> of_parts(mesh.tetrahedra.size(), 0.0), all(mesh.tetrahedra.size(), 0.0);
  for (std::size_t v = 0; v < rigid.size(); ++v) {
    const std::size_t t = index(embedding.points[v].tetrahedron);
    all[t] += 1;
    of_parts[t] += rigid[v];
  }
  std::vector<double> result(mesh.tetrahedra.size(), 1.0);
  for (std::size_t t = 0; t < result.size(); ++t)
    if (of_parts[t] > 0) result[t] += (rigid_stiffness - 1) * of_parts[t] / all[t];
  return result;
}

}  // namespace sinew
