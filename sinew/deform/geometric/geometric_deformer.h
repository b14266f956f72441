// Geometric skinning as deformers, without physics: the baseline for all other methods.
#pragma once

#include <memory>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"

namespace sinew {

enum class GeometricSkinning {
  linear,           // linear blend skinning: the rig's own surface
  dual_quaternion,  // Kavan et al. 2007
  rigid,            // every vertex follows the bone of its largest weight
};

// `surface` must outlive the result.
std::unique_ptr<Deformer> geometric_deformer(GeometricSkinning skinning, const SimulationSurface& surface);

}  // namespace sinew
