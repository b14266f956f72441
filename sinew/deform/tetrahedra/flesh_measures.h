// What a report says about the state of flesh in a body of tetrahedra.
#pragma once

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"

namespace sinew {

// Energy: 1/2 u^T S u + 1/2 sum m |du/dt|^2, measured against the goal.
BodyMeasures measure_flesh(const FleshBody& body, const FleshState& state, const RigState& rig);

}  // namespace sinew
