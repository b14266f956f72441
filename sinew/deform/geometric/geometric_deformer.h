// Geometric skinning as deformers, which know no physics: what all others are compared with.
#pragma once

#include <memory>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"

namespace sinew {

enum class GeometricSkinning {
  linear,           // linear blend skinning: the rig's own surface
  dual_quaternion,  // Kavan et al. 2007
  rigid,            // every vertex follows the bone that has most of it
};

// `surface` has to outlive the result.
std::unique_ptr<Deformer> geometric_deformer(GeometricSkinning skinning, const SimulationSurface& surface);

}  // namespace sinew
