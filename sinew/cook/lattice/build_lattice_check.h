// Whether a control lattice, perhaps edited by hand, fits a character.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"

namespace sinew {

// Points of the surface farther outside than this share of its extent count as outside.
inline constexpr double enclosure_tolerance = 1e-6;

struct LatticeFit {
  LatticeDefects defects;       // each sentence names the cell or the bone
  int vertices_outside = 0;     // of the surface
  double farthest_outside = 0;  // metres
  int bones_missing = 0;        // of the skeleton, helpers apart, that the lattice has no chain for
};

// What no character's flesh can move in: vertices of the surface outside all cells, and bones that the character does
// not have. The lattice must be valid in itself (check_lattice of sinew/mesh/control_lattice/validity.h), and in the
// rest space of the surface. Defects name at most `limit` cells and bones.
LatticeFit check_fit(const ControlLattice& lattice, const SimulationSurface& surface, std::size_t limit = 10);

}  // namespace sinew
