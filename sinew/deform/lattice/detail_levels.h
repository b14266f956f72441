// The elements of a hierarchical basis's levels and their children (Capell 2004, section 4.7).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/elastic/basis_integrals.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// One for each level but the finest. `fill`: share of each tetrahedron inside the body. Elements without flesh are left
// out.
std::vector<DetailLevel> detail_levels(const SubdividedLattice& lattice, int levels,
                                       const LatticeTetrahedra& tetrahedra, const TetrahedronBasis& basis,
                                       std::span<const double> fill);

// Level of each function: that of the vertex it belongs to.
std::vector<int> function_levels(const SubdividedLattice& lattice, int levels);

}  // namespace sinew
