// The basis functions of MLCA on the trilinear parameterisation.
#pragma once

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// A basis for dynamics where MLCA's own parameterisation would fold or leave part of the body outside. Its values are
// those of MLCA's hierarchical basis at the vertices of `trilinear` (`lattice` subdivided by the trilinear scheme),
// corrected there so that the functions S_j of the coarsest level reproduce positions,
//   p(x) = sum_j S_j (p_j + F_j (x - sum_k S_k r_k)),
// where F_j is the mean gradient around vertex j of the trilinear function with values p_j (vertex_gradients.h). Rows
// sum to 1, and an affine map of all r_j is the same affine map of x. On bones and inside regular grids the correction
// is zero.
SparseRows fitted_mlca_basis(const ControlLattice& lattice, const SubdividedLattice& trilinear, int basis_levels);

}  // namespace sinew
