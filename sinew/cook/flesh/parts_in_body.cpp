#include "sinew/cook/flesh/parts_in_body.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr double rigid_stiffness = 100;  // that of rigid parts, relative to flesh

std::vector<char> rigid_vertices(const KeptShape& parts, std::size_t vertices) {
  std::vector<char> rigid(vertices, 0);
  for (const RigidGroup& part : parts.rigid)
    for (const int v : part.vertices) rigid[index(v)] = 1;
  return rigid;
}

// Area of the surface in each tetrahedron, square metres: that of rigid parts, and all.
struct AreaInBody {
  std::vector<double> rigid, all;
};

// Points all over triangles of rigid parts.
struct PointsOfParts {
  std::vector<Vec3> place;
  std::vector<int> piece;    // of the body that carries the triangle
  std::vector<double> area;  // square metres

  // Middles of the triangles into which this one falls when its edges are divided.
  void add(const Vec3& a, const Vec3& b, const Vec3& c, int divided, int of_piece) {
    const double whole = norm(cross(b - a, c - a)) / 2;
    for (int i = 0; i < divided; ++i)
      for (int j = 0; j < 2 * (divided - i) - 1; ++j) {
        const double third = j % 2 == 0 ? 1.0 / 3 : 2.0 / 3;
        place.push_back(a + (i + third) / divided * (b - a) + (j / 2 + third) / divided * (c - a));
        piece.push_back(of_piece);
        area.push_back(whole / (divided * divided));
      }
  }
};

// A triangle counts where its corners are; one of rigid parts that is longer than elements counts where it passes.
AreaInBody area_in_body(const TetrahedralMesh& mesh, const TriangleMesh& rest, const KeptShape& parts,
                        const Embedding& embedding) {
  AreaInBody area{std::vector<double>(mesh.tetrahedra.size(), 0.0), std::vector<double>(mesh.tetrahedra.size(), 0.0)};
  const std::vector<char> rigid = rigid_vertices(parts, embedding.points.size());
  std::vector<int> piece;
  measure_quality(mesh, &piece);
  const EmbeddingSearch search(mesh);
  PointsOfParts points;
  const auto tetrahedron = [&](int v) { return index(embedding.points[index(v)].tetrahedron); };
  for (const Triangle& t : rest.triangles) {
    const Vec3 &a = rest.positions[index(t[0])], &b = rest.positions[index(t[1])], &c = rest.positions[index(t[2])];
    const double longest = std::max({distance(a, b), distance(b, c), distance(c, a)});
    const bool is_rigid = std::all_of(t.begin(), t.end(), [&](int v) { return rigid[index(v)]; });
    if (is_rigid && longest > search.mean_longest_edge() / 2) {
      points.add(a, b, c, static_cast<int>(std::ceil(2 * longest / search.mean_longest_edge())),
                 piece[tetrahedron(t[0])]);
      continue;
    }
    for (const int v : t) {
      const double third = norm(cross(b - a, c - a)) / 6;
      area.all[tetrahedron(v)] += third;
      if (rigid[index(v)]) area.rigid[tetrahedron(v)] += third;
    }
  }
  const Embedding found = embed_points(
      search, points.place, [&](std::size_t k, int element) { return piece[index(element)] == points.piece[k]; });
  for (std::size_t k = 0; k < points.place.size(); ++k)
    if (const int t = found.points[k].tetrahedron; t >= 0)
      for (std::vector<double>* sum : {&area.all, &area.rigid}) (*sum)[index(t)] += points.area[k];
  return area;
}

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

std::vector<char> on_shared_pieces(const TetrahedralMesh& mesh, const std::vector<RigidPart>& parts,
                                   const Embedding& embedding) {
  std::vector<char> rigid(embedding.points.size(), 0), result(rigid.size(), 0);
  for (const RigidPart& part : parts)
    for (const int v : part.vertices) rigid[index(v)] = 1;
  std::vector<int> piece;
  std::vector<char> carries_skin(index(measure_quality(mesh, &piece).components), 0);
  const auto piece_of = [&](std::size_t v) { return index(piece[index(embedding.points[v].tetrahedron)]); };
  for (std::size_t v = 0; v < rigid.size(); ++v)
    if (!rigid[v]) carries_skin[piece_of(v)] = 1;
  for (std::size_t v = 0; v < rigid.size(); ++v) result[v] = carries_skin[piece_of(v)];
  return result;
}

std::vector<double> rigid_stiffening(const TetrahedralMesh& mesh, const TriangleMesh& rest, const KeptShape& parts,
                                     const Embedding& embedding) {
  std::vector<double> result(mesh.tetrahedra.size(), 1.0);
  if (parts.rigid.empty()) return result;
  const AreaInBody area = area_in_body(mesh, rest, parts, embedding);
  for (std::size_t t = 0; t < result.size(); ++t)
    if (area.rigid[t] > 0) result[t] += (rigid_stiffness - 1) * (area.rigid[t] / area.all[t]);
  return result;
}

}  // namespace sinew
