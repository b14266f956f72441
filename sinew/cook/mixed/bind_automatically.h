// Computes skin weights for characters without any, from the body that poses them. Programs that know linear blend
// skinning then play most of the result, and morph targets add only the difference (docs/mixed_characters.md).
#pragma once

#include "sinew/character/character.h"
#include "sinew/cook/mixed/prepare_mixed.h"

namespace sinew {

// Largest number of joints per vertex.
inline constexpr int automatic_influences = 4;

// Distance over which skin weights fade, in radii of the limb (SmoothWeightsOptions::reach). It is larger than for
// rotations in the body, because blended joints tear skin where elasticity only bends it.
inline constexpr double automatic_reach = 2;

// A body that fills a surface, with the bone of each element. Holds references to all of it.
struct BonedBody {
  const SimulationSurface& surface;
  const std::vector<Bone>& bones;  // that pose the body (cook/mixed/mixed_bones.h)
  const TetrahedralMesh& mesh;     // rest space, metres
  const Embedding& embedding;      // of the surface's vertices in `mesh`
  const RotationClusters& clusters;
};

// Treatment of pieces that no bone reaches: eyes, buttons, clothes that hang beside the flesh.
enum class LoosePieces {
  nearest_bone,  // each element follows the bone of the nearest element that has one, as in the method `mixed`
  nearest_skin,  // pieces follow the skin beside them: small ones rigidly, others point by point
};

// Fills in the influences that adopt_skeleton() left empty. Weights of the clusters (smooth_weights()) are averaged by
// volume from the body's elements to its vertices and carried to the surface by its embedding. The four largest are
// kept, reduced by the fifth and normalised, which avoids jumps where the order of weights changes. Vertices of lines
// and points, which have no body, follow the nearest surface vertex. `body` must be that of `character`; `reach` is
// SmoothWeightsOptions::reach. The result has the same bits for any number of threads.
void bind_automatically(Character& character, const BonedBody& body, double reach, LoosePieces loose);

// Binds `character` by its cooked body of the method `mixed`.
void bind_automatically(Character& character, const CookedMixed& mixed, const MixedSettings& settings);

}  // namespace sinew
