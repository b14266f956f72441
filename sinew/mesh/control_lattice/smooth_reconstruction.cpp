#include "sinew/mesh/control_lattice/smooth_reconstruction.h"

#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

ControlLattice refined_lattice(const ControlLattice& lattice, int level) {
  if (level <= 0) return lattice;
  // Creases are led along as bones are.
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
  const SubdividedLattice smooth =
      subdivide(refined_lattice(lattice, basis_levels - 1), SubdivisionScheme::mlca, levels);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(smooth);
  SmoothReconstruction result;
  result.embedding = embed_in_lattice(smooth, tetrahedra, points, triangles, tolerance);
  result.rows = nodal_point_values(result.embedding.points, tetrahedra.mesh, smooth, 0);
  if (basis_levels > 1)
    result.rows = product(
        result.rows,
        hierarchical_to_nodal(subdivide(lattice, SubdivisionScheme::trilinear, basis_levels - 1), basis_levels));
  return result;
}

}  // namespace sinew
