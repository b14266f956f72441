// Flesh whose shape elasticity decides (--reference elastic): skeletally warped linearisation (Capell
// 2004, section 5.2.2, equation 5.10). Row i of the stiffness acts in the frame that the skeleton
// predicts for vertex i. The system is not symmetric; the rest factor in local frames preconditions it.
#pragma once

#include <memory>

#include "sinew/deform/deformer.h"
#include "sinew/deform/lattice_flesh/flesh_body.h"

namespace sinew {

std::unique_ptr<Deformer> elastic_reference_flesh(std::shared_ptr<const FleshBody> body);

}  // namespace sinew
