// Skin weights for characters that came without any, from what poses their body: so that programs which know linear
// blend skinning play the result, and morph targets only hold what that misses (docs/mixed_characters.md).
#pragma once

#include "sinew/cook/prepare_mixed.h"
#include "sinew/character/character.h"

namespace sinew {

// How many joints a vertex follows at most.
inline constexpr int automatic_influences = 4;

// Skin weights fade at least this far, in radii of the limb (SmoothWeightsOptions::reach): farther than rotations in
// the body, since blended joints tear skin where elasticity only bends it.
inline constexpr double automatic_reach = 2;

// Fills the influences that adopt_skeleton left empty. Weights of the clusters (smooth_weights) are carried from the
// body's elements to its vertices (means by volume) and to the surface by its embedding; the largest four are kept,
// less the fifth, and scaled to a sum of one, which has no step where weights change places. Vertices of lines and
// points, which have no body, follow the nearest vertex of the surface. `scene` must have been made of `character`.
void bind_automatically(Character& character, const MixedScene& scene, const MixedSettings& settings);

}  // namespace sinew
