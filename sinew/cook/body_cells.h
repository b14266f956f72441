// Cells of bodies for display (deform/body_cells.h), from tetrahedral meshes, control lattices and flesh.
#pragma once

#include <memory>

#include "sinew/deform/body_cells.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Cells that have edges only, no motion.
BodyCells edges_of(const ControlLattice& lattice);
BodyCells edges_of(const TetrahedralMesh& mesh);

// Cells of a flesh body, with their motion. `lattice` is the control lattice that `body` was made from; a body with
// another basis than the lattice's own has no cells.
BodyCells flesh_cells(std::shared_ptr<const FleshBody> body);
BodyCells flesh_cells(std::shared_ptr<const LatticeBody> body, const ControlLattice& lattice);

}  // namespace sinew
