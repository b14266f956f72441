// The lattice around a limb and its material.
#pragma once

#include <vector>

#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "studies/capell/limb.h"

namespace sinew {

struct LimbLattice {
  ControlLattice lattice;       // its bones are chains along the core
  std::vector<char> core_cell;  // per cell: whether it is held completely
};
LimbLattice limb_lattice(const LimbMesh& limb, const LimbLatticeShape& shape);

// Flesh inside the mesh, stiff material in the core.
LatticeFields limb_fields(const LimbMesh& limb, const LimbLattice& lattice, const LatticeGrid& grid,
                          const Material& material);

}  // namespace sinew
