// The skin of each limb of a character, from its weights.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

struct SkinLimbs {
  std::vector<int> of_vertex;               // per vertex, the limb that nearly all of its weight is on; -1: none
  std::vector<std::vector<int>> triangles;  // per limb: those that it carries most of a corner of, ascending
};

// `limb`: per bone, its limb or a negative number; triangles of bones without one belong to every limb.
SkinLimbs skin_limbs(const SimulationSurface& surface, std::span<const int> limb);

}  // namespace sinew
