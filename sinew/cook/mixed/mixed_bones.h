// Which bones of a surface pose a body, and where in the flesh they lie (docs/mixed_characters.md).
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

// With skin weights: the bones that are no helpers and are the strongest of some vertex, as they are.
//
// Without: the bones of which a segment lies in the flesh for at least half of its length; those segments, cut to what
// is inside. Bones of joints
// without children go on from their joint, in the direction in which the bone before them arrives there, through four
// fifths of the flesh on the way. Poles of inverse kinematics and roots on the ground are not in the flesh. A bone of
// no length is kept where its joint is in the flesh. Near the skin (2 % of `height`) counts as in the flesh, since
// bones of thin limbs may leave them. Where no bone is in the flesh, all are kept.
//
// `height`: of the character, metres.
struct PosingBones {
  std::vector<Bone> bones;           // parents are the nearest ones left, or -1
  std::vector<int> of_surface_bone;  // per bone of the surface: itself or the nearest above it that is left, or -1
};
PosingBones bones_that_pose(const SimulationSurface& surface, double height);

}  // namespace sinew
