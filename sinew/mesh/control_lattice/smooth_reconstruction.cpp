#include "sinew/mesh/control_lattice/smooth_reconstruction.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/row_builder.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/control_lattice/surface_cells.h"
#include "sinew/mesh/control_lattice/vertex_gradients.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Replaces weights that reach beyond a tetrahedron by those of its nearest point. Returns which points were changed.
std::vector<char> pull_inside(Embedding& embedding, const TetrahedralMesh& mesh, std::span<const Vec3> points) {
  std::vector<char> pulled(points.size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EmbeddedPoint& point = embedding.points[i];
    if (*std::min_element(point.weights.begin(), point.weights.end()) >= -1e-12) continue;
    point.weights = nearest_in_tetrahedron(corners_of(mesh, index(point.tetrahedron)), points[i]).weights;
    pulled[i] = 1;
  }
  return pulled;
}

// Adds sum_j S_j F_j (x - sum_k S_k r_k) to the rows of S of points that were moved inside.
SparseRows continued(const SparseRows& rows, const ControlLattice& lattice, std::span<const Vec3> points,
                     const std::vector<char>& pulled) {
  const VertexGradients gradients = vertex_gradients(lattice);
  std::vector<Vec3> inside(points.size());
  multiply(rows, lattice.positions, inside);
  RowBuilder result(rows.columns);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 offset = points[i] - inside[i];
    result.add_row(rows, static_cast<int>(i), 1);
    if (pulled[i]) add_gradients(result, gradients, rows, static_cast<int>(i), offset);
    result.end_row();
  }
  return result.take();
}

}  // namespace

ControlLattice refined_lattice(const ControlLattice& lattice, int level) {
  if (level <= 0) return lattice;
  // Creases are carried along in the same way as bones.
  ControlLattice chains = lattice;
  for (const std::array<int, 2>& edge : lattice.sharp_edges) chains.bones.push_back({"", {edge[0], edge[1]}});
  const SubdividedLattice fine = subdivide(chains, SubdivisionScheme::trilinear, level);

  ControlLattice refined;
  refined.positions = fine.positions;
  for (const std::array<int, 8>& h : fine.hexahedra) add_hexahedron(refined, h);
  for (std::size_t b = 0; b < fine.bones.size(); ++b) {
    if (b < lattice.bones.size()) {
      refined.bones.push_back({lattice.bones[b].name, fine.bones[b]});
      continue;
    }
    for (std::size_t k = 1; k < fine.bones[b].size(); ++k)
      refined.sharp_edges.push_back({fine.bones[b][k - 1], fine.bones[b][k]});
  }
  refined.sharp_vertices = lattice.sharp_vertices;
  const auto carry = [&](const std::vector<double>& coarse) {
    std::vector<double> values = coarse;
    for (const SparseRows& refine : fine.refine) {
      if (values.empty()) break;
      std::vector<double> next(refine.rows());
      multiply(refine, values, next);
      values = std::move(next);
    }
    return values;
  };
  refined.stiffness = carry(lattice.stiffness);
  refined.damping = carry(lattice.damping);
  refined.density = carry(lattice.density);
  return refined;
}

SmoothReconstruction smooth_reconstruction(const ControlLattice& lattice, int basis_levels,
                                           std::span<const Vec3> points, std::span<const Triangle> triangles,
                                           double tolerance, int levels) {
  if (basis_levels < 1) throw usage_error("a basis has at least one level, not " + std::to_string(basis_levels) + ".");
  const ControlLattice control = refined_lattice(lattice, basis_levels - 1);
  const SubdividedLattice smooth = subdivide(control, SubdivisionScheme::mlca, levels);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(smooth);
  LatticeEmbedding embedding = embed_in_lattice(smooth, tetrahedra, points, triangles, tolerance);
  const std::vector<char> pulled = pull_inside(embedding.points, tetrahedra.mesh, points);
  SmoothReconstruction result;
  result.outside = std::move(embedding.outside);
  result.rows = continued(nodal_point_values(embedding.points, tetrahedra.mesh, smooth, 0), control, points, pulled);
  if (basis_levels > 1) {
    const SubdividedLattice trilinear = subdivide(lattice, SubdivisionScheme::trilinear, basis_levels - 1);
    result.rows = product(result.rows, hierarchical_to_nodal(trilinear, basis_levels));
  }
  return result;
}

}  // namespace sinew
