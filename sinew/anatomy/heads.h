// Heads that carry more than the end of a chain does: hair, ears, a jaw and a nose on bones of their own. Told by where
// they are, the far end of a spine, and by what sits on them (docs/anatomy.md, How a skull is found).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/anatomy/bone_regions.h"
#include "sinew/anatomy/surface_pieces.h"

namespace sinew {

struct HeadFound {
  int bone = -1;
  std::string because;     // the evidence, in a few words
  std::vector<int> of_it;  // bones below, near it, whose skin is of one piece with it: nose, jaw; not hair
};

// `compact`: per bone, by what factor its region is within the bounds of a skull's; below 1 it is none. `skull`: per
// bone, whether it is known to be one. No head is below another.
std::vector<HeadFound> find_heads(const SimulationSurface& surface, const BoneRegions& regions,
                                  const SurfacePieces& pieces, std::span<const RigidThing> rigid,
                                  std::span<const double> compact, std::span<const char> skull);

}  // namespace sinew
