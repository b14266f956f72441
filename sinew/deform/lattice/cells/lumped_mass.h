// Lumped mass of a control lattice: point masses at its vertices instead of int rho phi_i phi_j
// (docs/lattice_flesh.md).
#pragma once

#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/deform/lattice/cells/nodal_transform.h"

namespace sinew {

// Replaces the cells' masses by the lumped M = H^T D H: D has the row sums of the mass over nodal values, and H
// converts coefficients to nodal values. `transform` is empty if coefficients are nodal values already, as with one
// level; their functions must sum to one. Total mass and the momentum of a translation are kept, function by function.
// Throws input_error naming the cell and the function if a row sum is not positive.
void lump_mass(const NodalTransform& transform, CellMatrices& cells);

}  // namespace sinew
