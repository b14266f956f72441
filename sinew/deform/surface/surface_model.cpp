#include "sinew/deform/surface/surface_model.h"

#include <algorithm>

#include "runtime/parts/model_numbers.h"

namespace sinew {

double inverse_squared_range(const SurfaceModel& model, std::size_t vertex) {
  if (model.range.empty()) return 0;
  const double range = std::max(model.range[vertex], SINEW_LEAST_RANGE * model.height);
  return 1 / (range * range);
}

double shortest_spoke(const SurfaceModel& model) { return SINEW_SHORTEST_SPOKE * model.height; }

}  // namespace sinew
