// Measurements of flesh in tetrahedra, for reports.
#pragma once

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"

namespace sinew {

// Measures, among others, the energy 1/2 u^T S u + 1/2 sum m |du/dt|^2, relative to the goal.
BodyMeasures measure_flesh(const FleshBody& body, const FleshState& state, const RigState& rig);

}  // namespace sinew
