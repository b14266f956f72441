// Flesh whose shape elasticity decides (--reference elastic): pose-dependent linear stiffness in frames
// that the skeleton predicts (Capell 2004, section 5.2.2). The rest factor in local frames preconditions it.
#pragma once

#include <memory>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/warped_stiffness.h"

namespace sinew {

std::unique_ptr<BodyMotion> elastic_reference_flesh(std::shared_ptr<const FleshBody> body,
                                                    Warping warping = Warping::element);

}  // namespace sinew
