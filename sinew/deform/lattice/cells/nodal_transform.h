// Between the coefficients of a hierarchical basis and values at vertices, for the trilinear scheme, whose functions
// are one at their own vertex: a coefficient of detail is what the vertex's value is beyond the mean of the coarser
// vertices that subdivision takes it from (Capell 2004, section 4.2 and appendix B).
//
// Preconditioners use it. In values at vertices a system is nearly local: neighbours are near, and so are their frames.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// With P the weights of the parents, coefficients are q = H^-1 v = v - P v, and forces on values are H^-T r = r - P^T
// r.
struct NodalTransform {
  // P. Per function: the coarser vertices and weights that its coefficient is measured from; none on the coarsest
  // level.
  SparseRows parents;

  bool empty() const { return parents.rows() == 0; }
};

// Of `levels` levels. Empty for schemes other than the trilinear.
NodalTransform nodal_transform(const SubdividedLattice& lattice, SubdivisionScheme scheme, int levels);

// The matrices of the same cells over values: H^-T A H^-1.
CellMatrices nodal_matrices(const CellMatrices& cells, const NodalTransform& transform);

}  // namespace sinew
