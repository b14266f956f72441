// Where the nonlinear elasticity of flesh in a lattice is evaluated: tetrahedra between points that the functions
// carry, in the form that the kernel of deform/flesh/goal_elasticity.h takes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A sample that measures the mean strain of many tetrahedra has a tetrahedron of its own: one corner at the origin and
// one at the tip of each column of the mean deformation gradient, which is linear in the coefficients.
struct LatticeTissue {
  SparseRows points;       // a row per point over the functions; metres, or columns of a mean gradient
  StrainSamples samples;   // each over four points
  std::size_t single = 0;  // number of samples of single tetrahedra; mean ones follow
  std::vector<int> patch;  // per sample, ascending, at most patch_size samples each
  std::vector<int> cell;   // per sample: the cell whose predicted rotation is near its own

  bool empty() const { return samples.size() == 0; }
};

// `samples`: of the basis; the first are those of `tetrahedron`, one each, and others measure means. `values`:
// functions at the mesh's vertices. `cell`: per sample. `hexahedron`: per tetrahedron of the mesh, at most patch_size
// in a row are of one.
LatticeTissue lattice_tissue(const StrainSamples& samples, std::span<const int> tetrahedron, std::span<const int> cell,
                             const TetrahedralMesh& mesh, std::span<const int> hexahedron, const SparseRows& values);

}  // namespace sinew
