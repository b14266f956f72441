#include "sinew/mesh/control_lattice/point_values.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "sinew/base/parallel.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/control_lattice/cell_graph.h"
#include "sinew/mesh/control_lattice/surface_cells.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Embeds points in tetrahedra of given cells, or in any for cell -1, with weights that give the points back.
Embedding embed_in_cells(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra,
                         std::span<const Vec3> points, const std::vector<int>& cells) {
  const TetrahedralMesh& mesh = tetrahedra.mesh;
  Embedding embedding =
      cells.empty() ? embed_points(mesh, points) : embed_points(mesh, points, [&](std::size_t i, int t) {
        return lattice.cell[at(tetrahedra.hexahedron[at(t)])] == cells[i];
      });
  // embed_points() pulls points that are far outside back to the mesh.
  for (std::size_t i = 0; i < points.size(); ++i) {
    EmbeddedPoint& point = embedding.points[i];
    point.weights = barycentric_weights(corners_of(mesh, at(point.tetrahedron)), points[i]);
  }
  return embedding;
}

}  // namespace

LatticeEmbedding embed_in_lattice(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra,
                                  std::span<const Vec3> points, std::span<const Triangle> triangles, double tolerance) {
  LatticeEmbedding result;
  result.points = embed_in_cells(lattice, tetrahedra, points, {});
  const CellGraph graph = cell_graph(lattice);
  std::vector<int> cells(points.size());
  std::vector<double> distance(points.size());
  parallel_for(points.size(), 256, [&](std::size_t i) {
    const std::size_t t = at(result.points.points[i].tetrahedron);
    cells[i] = lattice.cell[at(tetrahedra.hexahedron[t])];
    distance[i] = distance_from(corners_of(tetrahedra.mesh, t), points[i]);
  });
  const double rounding = 1e-9 * graph.mean_edge;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (distance[i] > tolerance + rounding) result.outside.push_back({static_cast<int>(i), distance[i]});
  std::stable_sort(result.outside.begin(), result.outside.end(),
                   [](const OutsidePoint& a, const OutsidePoint& b) { return a.distance > b.distance; });
  if (triangles.empty()) return result;

  const std::vector<int> chosen = choose_cells(graph, lattice, tetrahedra, points, triangles, cells);
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
  const Embedding there = embed_in_cells(lattice, tetrahedra, places, moved_cells);
  for (std::size_t k = 0; k < moved.size(); ++k) result.points.points[moved[k]] = there.points[k];
  return result;
}

SparseRows embedding_rows(const Embedding& embedding, const TetrahedralMesh& mesh) {
  SparseRows rows;
  rows.columns = static_cast<int>(mesh.positions.size());
  for (const EmbeddedPoint& point : embedding.points) {
    if (point.tetrahedron >= 0) {
      const Tetrahedron& t = mesh.tetrahedra[at(point.tetrahedron)];
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

}  // namespace sinew
