// The cells of bodies (deform/body_cells.h): of tetrahedra, of control lattices, and where flesh has them.
#pragma once

#include <memory>

#include "sinew/deform/body_cells.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Their edges alone.
BodyCells edges_of(const ControlLattice& lattice);
BodyCells edges_of(const TetrahedralMesh& mesh);

// Those of flesh, with where it has them. `lattice`: what `body` was made of; none where it has other functions.
BodyCells flesh_cells(std::shared_ptr<const FleshBody> body);
BodyCells flesh_cells(std::shared_ptr<const LatticeBody> body, const ControlLattice& lattice);

}  // namespace sinew
