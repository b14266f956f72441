// The elements of a hierarchical basis's levels and their children (Capell 2004, section 4.7).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/elastic/basis_integrals.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Returns one entry for each level but the finest. `fill`: fraction of each tetrahedron inside the body. Elements
// without flesh are left out.
std::vector<DetailLevel> detail_levels(const SubdividedLattice& lattice, int levels,
                                       const LatticeTetrahedra& tetrahedra, const TetrahedronBasis& basis,
                                       std::span<const double> fill);

// Returns the level of each function, which is that of its vertex.
std::vector<int> function_levels(const SubdividedLattice& lattice, int levels);

}  // namespace sinew
