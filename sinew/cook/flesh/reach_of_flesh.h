// Largest distances by which the skin may be dragged, or pushed by obstacles, from the rig's surface.
#pragma once

#include <vector>

#include "sinew/character/body_binding.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Input of both functions.
struct ReachOfFlesh {
  const FleshMap& map;
  const TetrahedralMesh& mesh;
  const Embedding& embedding;
  double height = 1;  // height of the character, metres
};

// Largest distance by which a surface vertex may be dragged, metres: five times the depth of the flesh there, which is
// about two and a half times the distance from skin to bone; far from a bone (fins, ears, tails) at least most of that
// distance; at most a third of the character's height; zero on bare bone. The bound is needed because a linear body
// rotates without limit around its bone: a pointer dragged across the screen would tear a thin limb apart.
std::vector<double> hold_reach(const ReachOfFlesh& flesh);

// Largest distance by which obstacles may push a surface vertex, metres: one and a half times the depth of the flesh.
std::vector<double> push_reach(const ReachOfFlesh& flesh);

}  // namespace sinew
