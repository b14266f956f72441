// Adaptive choice of the functions of the hierarchical basis (Capell 2004, section 4.7): detail is switched on where
// the body deforms, and off where it no longer does.
//
// A function that is switched on begins with a coefficient of zero, at rest. One that is switched off keeps its
// position and velocity and fades, critically damped, in its predicted frame, so that the surface never jumps.
#pragma once

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_state.h"

namespace sinew {

// Makes the coarsest level unknowns and switches all detail off.
void start_coarse(const LatticeDescription& description, std::vector<Activity>& activity);

// Chooses the active functions from the deformation at the end of the last step, and those that force rigs push as long
// as they do (section 6.6). `pose`: that of the next step; `forces`: RigState::forces in it. Returns true if anything
// changed.
bool choose_functions(const LatticeBody& body, const LatticePose& pose, std::span<const PointForce> forces,
                      LatticeState& state);

// Returns R_i^T (p_i - g_i) of a fading function one step later, metres.
Vec3 faded_displacement(const LatticeState& state, std::size_t function, double step);

}  // namespace sinew
