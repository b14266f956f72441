// The state of flesh in a lattice, carried over from one length of step to another (Capell 2004, section 4.9).
#pragma once

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"

namespace sinew {

// Positions, velocities, accelerations and forces are what they are, whatever the step. What a state holds of one step
// ago is replaced by what would have been there `ratio` old steps ago: displacements on a line through the last two, so
// that their rate of change is the same to rounding; `before` is where the skeleton had the functions then.
void change_step(const LatticePose& before, double ratio, LatticeState& state);

}  // namespace sinew
