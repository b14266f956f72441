// Flesh whose shape elasticity decides (--reference elastic): small strain in frames that the skeleton predicts, so
// that the stiffness depends on the pose (Capell 2004, section 5.2.2). The factor at rest, in local frames, is the
// preconditioner.
#pragma once

#include <memory>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/warped_stiffness.h"

namespace sinew {

std::unique_ptr<BodyMotion> elastic_reference_flesh(std::shared_ptr<const FleshBody> body,
                                                    Warping warping = Warping::element);

}  // namespace sinew
