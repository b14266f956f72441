// Lumped mass of a control lattice: the inertia of masses at its vertices in place of int rho phi_i phi_j
// (docs/lattice_flesh.md).
#pragma once

#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/deform/lattice/cells/nodal_transform.h"

namespace sinew {

// Replaces the cells' masses, over the functions that they are over, by those of M = H^T D H: D has the row sums of the
// mass over values at vertices, H takes coefficients to values. `transform` is empty where coefficients are such values
// themselves, as on one level; their functions sum to one. Total mass and the momentum of a translation, function by
// function, stay what they are. Throws input_error naming the cell and the function where a row sum is not positive.
void lump_mass(const NodalTransform& transform, CellMatrices& cells);

}  // namespace sinew
