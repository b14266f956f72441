#include "sinew/cook/body_cells.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/control_lattice/cell_complex.h"

namespace sinew {
namespace {

using Edge = std::array<int, 2>;

Edge edge_between(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

void keep_each_once(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

// A flesh body's points are displacements, each in its own rotated frame.
void place(const VertexFrames& frames, std::span<const Vec3> displacements, std::span<Vec3> places) {
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = frames.goal[i] + frames.rotation[i] * displacements[i];
}

}  // namespace

BodyCells edges_of(const ControlLattice& lattice) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  BodyCells result{"lattice", lattice.cells(), lattice.positions.size(), {}, 0};
  for (const bool outside : {true, false}) {
    for (std::size_t e = 0; e < complex.edges.size(); ++e)
      if ((complex.boundary_edge[e] != 0) == outside) result.edges.push_back(complex.edges[e]);
    if (outside) result.outer = result.edges.size();
  }
  return result;
}

BodyCells edges_of(const TetrahedralMesh& mesh) {
  BodyCells result{"tetrahedra", mesh.tetrahedra.size(), mesh.positions.size(), {}, 0};
  for (const Triangle& triangle : boundary_surface(mesh).triangles)
    for (std::size_t k = 0; k < 3; ++k) result.edges.push_back(edge_between(triangle[k], triangle[(k + 1) % 3]));
  keep_each_once(result.edges);
  result.outer = result.edges.size();
  std::vector<Edge> all, inner;
  for (const Tetrahedron& corners : mesh.tetrahedra)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) all.push_back(edge_between(corners[i], corners[j]));
  keep_each_once(all);
  std::set_difference(all.begin(), all.end(), result.edges.begin(), result.edges.end(), std::back_inserter(inner));
  result.edges.insert(result.edges.end(), inner.begin(), inner.end());
  return result;
}

BodyCells flesh_cells(std::shared_ptr<const FleshBody> body) {
  BodyCells cells = edges_of(body->description.mesh);
  cells.place = [body = std::move(body), frames = VertexFrames()](std::span<const Vec3> displacements,
                                                                  std::span<const Affine> bones,
                                                                  std::span<Vec3> places) mutable {
    predict_frames(points_of(body->description), bones, frames);
    place(frames, displacements, places);
  };
  return cells;
}

BodyCells flesh_cells(std::shared_ptr<const LatticeBody> body, const ControlLattice& lattice) {
  // The lattice's vertices are the body's first basis functions; their coefficients are positions.
  if (static_cast<std::size_t>(body->description.coarse_functions) != lattice.positions.size()) return {};
  BodyCells cells = edges_of(lattice);
  std::vector<int> functions(cells.points);
  std::iota(functions.begin(), functions.end(), 0);
  cells.place = [body = std::move(body), functions = std::move(functions), pose = LatticePose()](
                    std::span<const Vec3> displacements, std::span<const Affine> bones,
                    std::span<Vec3> places) mutable {
    predict_functions(body->description, bones, functions, pose);
    place(pose.functions, displacements, places);
  };
  return cells;
}

}  // namespace sinew
