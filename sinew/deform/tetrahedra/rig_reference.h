// Flesh whose rest shape is the surface as the rig poses it (--reference rig): displacement is measured from the goal
// in each vertex's own frame, U = 1/2 u^T S u. In local frames the system matrix m_k M + (1 - alpha_f)(S + 3/2h D) is
// constant, and one substitution with the factor at rest solves a step exactly.
#pragma once

#include <memory>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

std::unique_ptr<BodyMotion> rig_reference_flesh(std::shared_ptr<const FleshBody> body);

}  // namespace sinew
