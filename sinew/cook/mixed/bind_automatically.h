// Skin weights for characters that came without any, from what poses their body: so that programs which know linear
// blend skinning play the result, and morph targets only hold what that misses (docs/mixed_characters.md).
#pragma once

#include "sinew/character/character.h"
#include "sinew/cook/mixed/prepare_mixed.h"

namespace sinew {

// How many joints a vertex follows at most.
inline constexpr int automatic_influences = 4;

// Skin weights fade at least this far, in radii of the limb (SmoothWeightsOptions::reach): farther than rotations in
// the body, since blended joints tear skin where elasticity only bends it.
inline constexpr double automatic_reach = 2;

// What weights are taken from: a body that fills a surface, and whose bone each of its elements follows. Refers to all
// of it.
struct BonedBody {
  const SimulationSurface& surface;
  const std::vector<Bone>& bones;  // those that pose the body (cook/mixed/mixed_bones.h)
  const TetrahedralMesh& mesh;     // rest space, metres
  const Embedding& embedding;      // of the surface's vertices
  const RotationClusters& clusters;
};

// What pieces follow that no bone reaches: eyes, buttons, clothes that hang beside the flesh.
enum class LoosePieces {
  nearest_bone,  // each element the bone of the nearest one that has some, as the method `mixed` poses them
  nearest_skin,  // the skin beside them: small ones as one, so that they keep their shape, others point by point
};

// Fills the influences that adopt_skeleton left empty. Weights of the clusters (smooth_weights) are carried from the
// body's elements to its vertices (means by volume) and to the surface by its embedding; the largest four are kept,
// less the fifth, and scaled to a sum of one, which has no step where weights change places. Vertices of lines and
// points, which have no body, follow the nearest vertex of the surface. `body` must have been made of `character`;
// `reach`: SmoothWeightsOptions. The same to the bit for any number of threads.
void bind_automatically(Character& character, const BonedBody& body, double reach, LoosePieces loose);

// The same for a scene of the method `mixed`, made of `character`.
void bind_automatically(Character& character, const CookedMixed& scene, const MixedSettings& settings);

}  // namespace sinew
