// Parts of two characters that correspond: bones, points of their skeletons, and skin beside the trunk
// (docs/shape_control.md). Names decide, and where these differ the build of the bodies, a trunk from the root to the
// head with limbs on either side. Both have y up; names of sides tell where they look, and without any they look along
// z.
#pragma once

#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/similarity_fit.h"

namespace sinew {

// Labels of skin on a limb that the other character lacks, and of skin that may be limb or trunk there.
inline constexpr int lacking_limb = -1, open_limb = -2;

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
  // Per bone: the trunk, 0, or the number of the limb that it belongs to, the same in both; or one of the words below.
  std::vector<int> source_limb, target_limb;
};

// Empty if nothing corresponds.
MatchedBones matching_bones(const SimulationSurface& source, const SimulationSurface& target);

}  // namespace sinew
