// Flesh in a control lattice over time: pose-dependent linear elasticity in frames that the skeleton predicts for each
// cell (Capell 2004, section 5.2.2, in the symmetric form of docs/flesh.md), skeletal constraints by partition (5.6).
#pragma once

#include <memory>

#include "sinew/deform/deformer.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_body.h"

namespace sinew {

// Its local displacements are those of the surface's vertices: R_s^T (shown - goal), in the frames that
// predict_frames() gives for the surface's rest positions and skin weights.
std::unique_ptr<Deformer> lattice_flesh(std::shared_ptr<const LatticeBody> body);

}  // namespace sinew
