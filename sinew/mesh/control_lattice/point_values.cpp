#include "sinew/mesh/control_lattice/point_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/control_lattice/cell_graph.h"
#include "sinew/mesh/control_lattice/surface_cells.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Least ratio of volume to the cube of the longest edge; pieces of a cube have 0.032.
constexpr double thinnest = 1e-4;

std::vector<char> carrying(const TetrahedralMesh& mesh) {
  std::vector<char> carries(mesh.tetrahedra.size());
  for (std::size_t t = 0; t < carries.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(mesh, t);
    double squared = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) squared = std::max(squared, squared_norm(p[i] - p[j]));
    carries[t] = volume(p[0], p[1], p[2], p[3]) > thinnest * squared * std::sqrt(squared);
  }
  if (std::find(carries.begin(), carries.end(), 1) == carries.end())
    throw input_error(
        "all cells of the lattice are thin or folded, so that nothing can be embedded in it; repair them.");
  return carries;
}

// Embeds points, with weights that reproduce them, in tetrahedra of given cells, or in any if no cells are given.
Embedding embed_in_cells(const EmbeddingSearch& search, const SubdividedLattice& lattice,
                         const LatticeTetrahedra& tetrahedra, std::span<const Vec3> points,
                         const std::vector<char>& carries, const std::vector<int>& cells) {
  const TetrahedralMesh& mesh = tetrahedra.mesh;
  Embedding embedding = embed_points(search, points, [&](std::size_t i, int t) {
    return carries[index(t)] && (cells.empty() || lattice.cell[index(tetrahedra.hexahedron[index(t)])] == cells[i]);
  });
  // embed_points() moves points that are far outside to the mesh.
  for (std::size_t i = 0; i < points.size(); ++i) {
    EmbeddedPoint& point = embedding.points[i];
    if (point.tetrahedron >= 0)
      point.weights = barycentric_weights(corners_of(mesh, index(point.tetrahedron)), points[i]);
  }
  return embedding;
}

}  // namespace

LatticeEmbedding embed_in_lattice(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra,
                                  std::span<const Vec3> points, std::span<const Triangle> triangles, double tolerance) {
  LatticeEmbedding result;
  const EmbeddingSearch search(tetrahedra.mesh);
  const std::vector<char> carries = carrying(tetrahedra.mesh);
  result.points = embed_in_cells(search, lattice, tetrahedra, points, carries, {});
  const CellGraph graph = cell_graph(lattice);
  std::vector<int> cells(points.size());
  std::vector<double> distance(points.size());
  parallel_for(points.size(), 256, [&](std::size_t i) {
    const std::size_t t = index(result.points.points[i].tetrahedron);
    cells[i] = lattice.cell[index(tetrahedra.hexahedron[t])];
    distance[i] = nearest_in_tetrahedron(corners_of(tetrahedra.mesh, t), points[i]).distance;
  });
  const double rounding = 1e-9 * graph.mean_edge;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (distance[i] > tolerance + rounding) result.outside.push_back({static_cast<int>(i), distance[i]});
  std::stable_sort(result.outside.begin(), result.outside.end(),
                   [](const OutsidePoint& a, const OutsidePoint& b) { return a.distance > b.distance; });
  if (triangles.empty()) return result;

  const std::vector<int> chosen = choose_cells(graph, lattice, tetrahedra, search.tree(), points, triangles, cells);
  std::vector<std::size_t> moved;
  std::vector<Vec3> places;
  std::vector<int> moved_cells;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (chosen[i] == cells[i]) continue;
    moved.push_back(i);
    places.push_back(points[i]);
    moved_cells.push_back(chosen[i]);
  }
  if (moved.empty()) return result;
  const Embedding there = embed_in_cells(search, lattice, tetrahedra, places, carries, moved_cells);
  for (std::size_t k = 0; k < moved.size(); ++k)
    if (there.points[k].tetrahedron >= 0) result.points.points[moved[k]] = there.points[k];
  return result;
}

SparseRows embedding_rows(const Embedding& embedding, const TetrahedralMesh& mesh) {
  SparseRows rows;
  rows.columns = static_cast<int>(mesh.positions.size());
  for (const EmbeddedPoint& point : embedding.points) {
    if (point.tetrahedron >= 0) {
      const Tetrahedron& t = mesh.tetrahedra[index(point.tetrahedron)];
      std::array<std::pair<int, double>, 4> entries;
      for (std::size_t k = 0; k < 4; ++k) entries[k] = {t[k], point.weights[k]};
      std::sort(entries.begin(), entries.end());
      for (const auto& [vertex, weight] : entries) {
        rows.column.push_back(vertex);
        rows.value.push_back(weight);
      }
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

SparseRows point_values(const Embedding& embedding, const TetrahedralMesh& mesh, const SparseRows& basis) {
  return product(embedding_rows(embedding, mesh), basis);
}

SparseRows nodal_point_values(const Embedding& embedding, const TetrahedralMesh& mesh, const SubdividedLattice& lattice,
                              int level) {
  SparseRows rows = embedding_rows(embedding, mesh);
  for (std::size_t k = lattice.refine.size(); k > index(level); --k) rows = product(rows, lattice.refine[k - 1]);
  return rows;
}

SparseRows hierarchical_point_values(const Embedding& embedding, const TetrahedralMesh& mesh,
                                     const SubdividedLattice& lattice, int basis_levels) {
  return product(nodal_point_values(embedding, mesh, lattice, basis_levels - 1),
                 hierarchical_to_nodal(lattice, basis_levels));
}

}  // namespace sinew
