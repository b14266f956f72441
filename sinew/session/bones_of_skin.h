// The bones that a point of the skin follows.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/contact/surface_patch.h"

namespace sinew {

// Skin weight of a bone, an index into SimulationSurface::bones, at a point of the surface.
double weight_of(const SimulationSurface& surface, const SurfacePoint& point, int bone);

// The bone with the largest skin weight at a point of the surface, the first of equal ones. Throws usage_error if the
// surface has no bones.
int most_followed_bone(const SimulationSurface& surface, const SurfacePoint& point);

}  // namespace sinew
