// What corresponds in two characters: bones, points of their skeletons, and skin beside the trunk
// (docs/shape_control.md). Names decide, and where these differ the build of the bodies, a trunk from the root to the
// head with limbs on either side. Both have y up and look along z.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/similarity_fit.h"

namespace sinew {

struct BonePair {
  int source = -1, target = -1;  // indices into SimulationSurface::bones
};

// Points are in rest space of each character, metres.
struct MatchedBones {
  std::vector<BonePair> bones;    // each bone once at most, ascending by source
  std::vector<PointPair> points;  // joints, places between them at equal shares of the way, and tips of limbs
  // Skin to the left and right of the trunk, on the belly's side and the back's, and around the head: which side of a
  // body is which, where the skeletons alone leave it open.
  std::vector<PointPair> skin;
  std::vector<char> target_only;  // per bone of the target: it belongs to a limb that the source lacks
};

// Empty if nothing corresponds.
MatchedBones matching_bones(const SimulationSurface& source, const SimulationSurface& target);

}  // namespace sinew
