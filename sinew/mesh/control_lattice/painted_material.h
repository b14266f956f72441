// Material painted on the vertices of a control lattice, evaluated for its tetrahedra (Capell 2004, section 4.10).
#pragma once

#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Multipliers per tetrahedron; empty where a lattice is not painted or painted 1 everywhere.
struct PaintedMaterial {
  std::vector<double> stiffness, damping, density;
};

// The painted values are control values of MLCA for any scheme of `subdivided`, so that they vary smoothly and stay
// between the least and the greatest painted value. A tetrahedron gets the mean of its corners. `subdivided` must come
// from `lattice`.
PaintedMaterial painted_material(const ControlLattice& lattice, const SubdividedLattice& subdivided,
                                 const LatticeTetrahedra& tetrahedra);

}  // namespace sinew
