// MLCA's functions on the trilinear parameterisation.
#pragma once

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// A basis for dynamics where MLCA's own parameterisation would fold or leave part of the body outside: the hierarchical
// basis of MLCA as values at the vertices of `trilinear`, which is `lattice` subdivided by the trilinear scheme, and
// there corrected so that the functions S_j of the coarsest level reproduce positions,
//   p(x) = sum_j S_j (p_j + F_j (x - sum_k S_k r_k)),
// with F_j the mean gradient around vertex j of the trilinear function with values p_j (vertex_gradients.h). Rows of
// these functions sum to 1, and every affine map of the r_j is one of x. On bones, and inside regular grids, nothing is
// corrected.
SparseRows fitted_mlca_basis(const ControlLattice& lattice, const SubdividedLattice& trilinear, int basis_levels);

}  // namespace sinew
