// Extrapolation of parameters to vertices that examples hardly move, such as a foot that stands through the whole clip
// or the inside of a mouth.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// Returns, per vertex, the sum over frames of weight |example - goal|^2, m^2: how much can be learned there.
std::vector<double> observed_motion(const SurfaceModel& model, std::span<const SurfaceExample> examples);

// Replaces restoration and delta of each vertex by the minimiser of
//   sum_i s_i |p_i - fitted_i|^2 + c sum_edges |p_i - p_j|^2,   s_i = shown_i / (shown_i + least share of the mean),
// with c small: vertices that have moved keep their values, the others take them from their surroundings. Means of
// positive semi-definite matrices stay so. Vertices without neighbours do not change.
void spread_parameters(SurfaceModel& model, std::span<const double> shown);

}  // namespace sinew
