// Checks that a control lattice, perhaps edited by hand, fits a character.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"

namespace sinew {

struct LatticeFit {
  LatticeDefects defects;       // each sentence names the cell or the bone
  int vertices_outside = 0;     // of the surface
  double farthest_outside = 0;  // metres
  int bones_missing = 0;        // bones of the skeleton, without helpers, that the lattice has no chain for
};

// Finds defects that prevent simulation: surface vertices outside all cells, and chains of bones that the character
// does not have. The lattice must be valid in itself (check_lattice() of mesh/control_lattice/validity.h) and in the
// rest space of the surface. Defects name at most `limit` cells and bones.
LatticeFit check_fit(const ControlLattice& lattice, const SimulationSurface& surface, std::size_t limit = 10);

}  // namespace sinew
