// The order in which the run-time goes through vertices.
#pragma once

#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Per place the vertex of the model. Near in space, near in memory; among those, equal numbers of neighbours together.
std::vector<int> runtime_order(const SurfaceModel& model);

}  // namespace sinew
