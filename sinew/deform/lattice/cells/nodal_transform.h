// Conversion between coefficients of a hierarchical basis and nodal values (values at vertices). It exists for the
// trilinear scheme, whose functions are one at their own vertex: a detail coefficient is the difference between the
// vertex's value and the mean of the coarser vertices that subdivision takes it from (Capell 2004, section 4.2 and
// appendix B).
//
// Preconditioners use it: over nodal values a system couples only nearby vertices, whose frames differ little.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// With P the weights of the parents, coefficients are q = H^-1 v = v - P v, and forces on nodal values are H^-T r = r -
// P^T r.
struct NodalTransform {
  // P. Per function: the coarser vertices, with weights, that its coefficient is measured from; none on the coarsest
  // level.
  SparseRows parents;

  bool empty() const { return parents.rows() == 0; }
};

// Builds the transform for `levels` levels; empty for schemes other than the trilinear.
NodalTransform nodal_transform(const SubdividedLattice& lattice, SubdivisionScheme scheme, int levels);

// Returns the transform of a basis without the functions `left_out`, whose coefficients are zero: their vertices have
// the mean of their parents, which take their place as parents of others.
NodalTransform without(const NodalTransform& transform, std::span<const char> left_out);

// Returns the cell matrices over nodal values, H^-T A H^-1.
CellMatrices nodal_matrices(const CellMatrices& cells, const NodalTransform& transform);

}  // namespace sinew
