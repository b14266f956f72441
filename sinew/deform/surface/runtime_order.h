// The order in which the run-time processes vertices.
#pragma once

#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Returns a permutation: per place in the file, the vertex of the model. Vertices near in space are near in memory;
// within such a group, those with equal numbers of neighbours are adjacent.
std::vector<int> runtime_order(const SurfaceModel& model);

}  // namespace sinew
