// Distances from bones, which tell how deep the flesh is.
#pragma once

#include "sinew/character/simulation_surface.h"

namespace sinew {

// The point of a bone's segments that is nearest to `point`: rest space, metres.
Vec3 nearest_point(const Bone& bone, const Vec3& point);

// Mean of the distances from a point to the bones that carry it, by their weights: rest space, metres. 0 without
// influences.
double distance_to_bones(const SimulationSurface& surface, const Influences& influences, const Vec3& point);

}  // namespace sinew
