// Heads that carry more bones than the end of a chain would: hair, ears, a jaw, a nose. They are found by their
// position, the far end of a spine, and by what sits on them (docs/anatomy.md, How a skull is found).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/anatomy/bone_regions.h"
#include "sinew/anatomy/surface_pieces.h"

namespace sinew {

// A head, with the bones whose skin belongs to it.
struct HeadFound {
  int bone = -1;
  std::string because;     // the evidence, in a few words
  std::vector<int> of_it;  // bones below and near it whose skin is connected with its own: nose, jaw; not hair
};

// `compact`: per bone, how far its region is within the limits for a skull, as a factor; below 1 it is outside.
// `skull`: per bone, whether it is already known to be one. No head found is below another.
std::vector<HeadFound> find_heads(const SimulationSurface& surface, const BoneRegions& regions,
                                  const SurfacePieces& pieces, std::span<const RigidPart> rigid,
                                  std::span<const double> compact, std::span<const char> skull);

}  // namespace sinew
