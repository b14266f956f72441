// Flesh in a control lattice over time (Capell 2004, chapters 4 and 5): skeletal constraints by partition (5.6), elastic
// forces that are linear while the pose stands, functions of the basis that come and go.
#pragma once

#include <memory>

#include "sinew/deform/deformer.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_body.h"

namespace sinew {

// Its local displacements are those of the surface's vertices: R_s^T (shown - goal), in the frames that
// predict_frames() gives for the surface's rest positions and skin weights.
std::unique_ptr<Deformer> lattice_flesh(std::shared_ptr<const LatticeBody> body);

}  // namespace sinew
