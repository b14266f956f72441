#include "studio/server/live/body_cells.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/control_lattice/cell_complex.h"

namespace sinew::studio {
namespace {

using Edge = std::array<int, 2>;

Edge edge_of(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

void keep_each_once(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

BodyCells cells_of(const ControlLattice& lattice) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  BodyCells result{"lattice", lattice.cells(), lattice.positions.size(), {}, 0};
  for (const bool outside : {true, false}) {
    for (std::size_t e = 0; e < complex.edges.size(); ++e)
      if ((complex.boundary_edge[e] != 0) == outside) result.edges.push_back(complex.edges[e]);
    if (outside) result.outer = result.edges.size();
  }
  return result;
}

BodyCells cells_of(const TetrahedralMesh& mesh) {
  BodyCells result{"tetrahedra", mesh.tetrahedra.size(), mesh.positions.size(), {}, 0};
  for (const Triangle& triangle : boundary_surface(mesh).triangles)
    for (std::size_t k = 0; k < 3; ++k) result.edges.push_back(edge_of(triangle[k], triangle[(k + 1) % 3]));
  keep_each_once(result.edges);
  result.outer = result.edges.size();
  std::vector<Edge> all, inner;
  for (const Tetrahedron& corners : mesh.tetrahedra)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) all.push_back(edge_of(corners[i], corners[j]));
  keep_each_once(all);
  std::set_difference(all.begin(), all.end(), result.edges.begin(), result.edges.end(), std::back_inserter(inner));
  result.edges.insert(result.edges.end(), inner.begin(), inner.end());
  return result;
}

// Whether the lattice's vertices are the first functions of the body, whose coefficients are positions.
bool spans(const ControlLattice& lattice, const LatticeBody& body) {
  return static_cast<std::size_t>(body.description.coarse_functions) == lattice.positions.size();
}

}  // namespace

BodyCells cells_of(const PreparedMethod& prepared) {
  if (prepared.flesh && prepared.flesh->lattice) {
    const bool known = prepared.control && spans(*prepared.control, *prepared.flesh->lattice);
    return known ? cells_of(*prepared.control) : BodyCells{"none", 0, 0, {}, 0};
  }
  if (prepared.flesh) return cells_of(prepared.flesh->body->description.mesh);
  if (prepared.mixed) return cells_of(prepared.mixed->mesh);
  return {"none", 0, 0, {}, 0};
}

void MovingCells::of(std::shared_ptr<const PreparedMethod> prepared) {
  if (prepared_ == prepared) return;
  prepared_ = std::move(prepared);
  BodyCells next = cells_of(*prepared_);
  if (number_ > 0 && next == cells_) return;
  cells_ = std::move(next);
  ++number_;
  functions_.resize(cells_.points);
  std::iota(functions_.begin(), functions_.end(), 0);
  pose_ = {};
}

void MovingCells::forget() {
  prepared_.reset();
  cells_ = {};
  places_ = {};
}

std::span<const Vec3> MovingCells::places(std::span<const Vec3> displacements, std::span<const Affine> bones) {
  const std::size_t count = cells_.points;
  if (count == 0 || displacements.size() < count) return {};
  places_.assign(displacements.begin(), displacements.begin() + static_cast<std::ptrdiff_t>(count));
  if (!prepared_->flesh) return places_;  // the method mixed tells where they are
  const VertexFrames* frames = &frames_;
  if (cells_.kind == "lattice") {
    predict_functions(prepared_->flesh->lattice->description, bones, functions_, pose_);
    frames = &pose_.functions;
  } else {
    const FleshDescription& body = prepared_->flesh->body->description;
    predict_frames(body.mesh.positions, body.influences, bones, frames_);
  }
  for (std::size_t i = 0; i < count; ++i) places_[i] = frames->goal[i] + frames->rotation[i] * places_[i];
  return places_;
}

}  // namespace sinew::studio
