// Flesh in a control lattice over time (Capell 2004, chapters 4 and 5): skeletal constraints by partition (5.6), elastic
// forces that are linear while the pose stands, functions of the basis that come and go.
#pragma once

#include <memory>

#include "sinew/deform/deformer.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_body.h"

namespace sinew {

// Its local displacements are those of the functions' coefficients, R_i^T (p_i - g_i) with the frames and goals of
// predict_pose(); lattice_surface.h takes them to the surface.
std::unique_ptr<Deformer> lattice_flesh(std::shared_ptr<const LatticeBody> body);

}  // namespace sinew
