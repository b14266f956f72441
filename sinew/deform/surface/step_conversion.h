// Conversion of parameters to another step length, such that the motion stays the same as far as the steps can resolve
// it.
//
// The paper's parameters refer to one step of one length. A vertex whose neighbours stand still is an oscillator,
//   u' = (1 - c) u - k x,  x' = x + u',   k = alpha + beta + gamma,  c = lambda + delta,
// whose free motion is a sum of z^n with the roots z of z^2 - (2 - k - c) z + (1 - c) = 0. Raising every root to the
// power of the ratio of step lengths keeps frequency and decay per second, and determines k and c exactly.
#pragma once

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// `ratio`: the new step's length over the old one's, > 0. alpha, beta and gamma change by one factor, lambda and delta
// by another. Values are clamped to their ranges where the motion cannot be represented: periods of less than two new
// steps, and stiffness above 1 with more than critical damping.
VertexParameters at_step_ratio(const VertexParameters& parameters, double ratio);

// Returns the model with steps of `step` seconds, all parameters converted.
SurfaceModel with_step(SurfaceModel model, double step);

}  // namespace sinew
