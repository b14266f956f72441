// Conversion of the state of flesh in a lattice to another step length (Capell 2004, section 4.9).
#pragma once

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"

namespace sinew {

// Converts the history in `state` to a step `ratio` times as long; positions, velocities, accelerations and forces do
// not depend on the step. Displacements one step ago are extrapolated along a line through the last two, which keeps
// their rate of change to rounding. `before`: pose of the skeleton at that time.
void change_step(const LatticePose& before, double ratio, LatticeState& state);

}  // namespace sinew
