// Parameters for steps of another length: the same motion, as far as steps can show it.
//
// The paper's parameters mean one step of one length. A vertex whose neighbours stand still is an oscillator,
//   u' = (1 - c) u - k x,  x' = x + u',   k = alpha + beta + gamma,  c = lambda + delta,
// whose free motion is a sum of z^n with the roots z of z^2 - (2 - k - c) z + (1 - c) = 0. Frequency and decay in
// seconds stay what they are if every root is taken to the power of the ratio of the steps' lengths; that gives k and
// c, exactly.
#pragma once

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// `ratio`: the new step's length over the old one's, > 0. alpha, beta and gamma change by one factor, lambda and delta
// by another. What cannot be had stays at the border of its range: swings of less than two new steps, and more than
// critical damping by stiffness beyond 1.
VertexParameters at_step_ratio(const VertexParameters& parameters, double ratio);

// The model with steps of `step` seconds, all parameters converted.
SurfaceModel with_step(SurfaceModel model, double step);

}  // namespace sinew
