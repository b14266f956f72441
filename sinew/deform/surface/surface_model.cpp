#include "sinew/deform/surface/surface_model.h"

#include "runtime/parts/model_numbers.h"

namespace sinew {

double shortest_spoke(const SurfaceModel& model) { return SINEW_SHORTEST_SPOKE * model.height; }

}  // namespace sinew
