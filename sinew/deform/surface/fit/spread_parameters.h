// What an example does not show, from where it does: a foot that stands through the whole clip, the inside of a mouth.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// Per vertex: sum over frames of weight |example - goal|^2, m^2: how much there is to learn from.
std::vector<double> shown_motion(const SurfaceModel& model, std::span<const SurfaceExample> examples);

// Restoration and delta of each vertex become the minimiser of
//   sum_i s_i |p_i - fitted_i|^2 + c sum_edges |p_i - p_j|^2,   s_i = shown_i / (shown_i + least share of the mean),
// with c small: vertices that have shown something keep what they have, others take it from around them. Means of
// positive semi-definite matrices are such again. Vertices without neighbours stay as they are.
void spread_parameters(SurfaceModel& model, std::span<const double> shown);

}  // namespace sinew
