// Selects the bones of a surface that pose a body, and finds their place in the flesh (docs/mixed_characters.md).
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// For a surface with skin weights: the bones, except helpers, that have the largest weight of some vertex, unchanged.
//
// For a surface without: the bones with a segment at least half of whose length lies in the flesh, cut to the part
// inside. The bone of a joint without children continues in the direction of the bone before it, through four fifths of
// the flesh in that direction. This excludes poles of inverse kinematics and roots on the ground. A bone without length
// is kept if its joint is in the flesh. Points within 2 % of `height` of the skin count as in the flesh, because bones
// of thin limbs may leave it. If no bone is in the flesh, all are kept.
//
// `height` is the character's, metres.
struct PosingBones {
  std::vector<Bone> bones;           // parents are the nearest ones left, or -1
  std::vector<int> of_surface_bone;  // per bone of the surface: itself or the nearest above it that is left, or -1
};
PosingBones bones_that_pose(const SimulationSurface& surface, double height);

}  // namespace sinew
