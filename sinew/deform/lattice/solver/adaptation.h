// Which functions of the hierarchical basis are worth their cost (Capell 2004, section 4.7): detail is switched on
// where the body deforms, and off where it no longer does.
//
// What is switched on begins with a coefficient of zero, at rest. What is switched off keeps position and velocity and
// fades, critically damped, in the frame that the skeleton predicts; so the body never jumps.
#pragma once

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"

namespace sinew {

// The coarsest level solved, all detail off.
void start_coarse(const LatticeDescription& description, std::vector<Activity>& activity);

// Decides anew from the deformation at the end of the last step; true where anything changed. `pose` is the next
// step's.
bool choose_functions(const LatticeBody& body, const LatticePose& pose, LatticeState& state);

// R_i^T (p_i - g_i) of a fading function one step later, metres.
Vec3 faded_displacement(const LatticeState& state, std::size_t function, double step);

}  // namespace sinew
