// Material that is painted on the vertices of a control lattice, at its tetrahedra (Capell 2004, section 4.10).
#pragma once

#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Multipliers per tetrahedron: 1 everywhere where the lattice has none of a kind.
struct PaintedMaterial {
  std::vector<double> stiffness, damping, density;
};

// The painted values are control values of MLCA, whatever the scheme of `subdivided`, which has to come from `lattice`:
// so they vary smoothly, and stay between the smallest and the largest that is painted. A tetrahedron has the mean of
// its corners.
PaintedMaterial painted_material(const ControlLattice& lattice, const SubdividedLattice& subdivided,
                                 const LatticeTetrahedra& tetrahedra);

}  // namespace sinew
