// Geometric skinning as deformers, without physics: the baseline for all other methods.
#pragma once

#include <memory>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"

namespace sinew {

enum class GeometricSkinning {
  linear,           // linear blend skinning: the rig's own surface
  dual_quaternion,  // Kavan et al. 2008
  volume,           // dual quaternions, corrected so that volumes are kept
  implicit,         // dual quaternions, corrected so that limbs touch where they would pass through each other
  rigid,            // every vertex follows the bone of its largest weight
};

// The kind of skinning that a surface of the method has (set_skinning()); linear for `rigid`, which has its own.
SkinningKind kind_of(GeometricSkinning skinning);

// `surface` must have the kind of `skinning`, and outlive the result.
std::unique_ptr<Deformer> geometric_deformer(GeometricSkinning skinning, const SimulationSurface& surface);

}  // namespace sinew
