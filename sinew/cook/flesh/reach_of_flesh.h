// How far hands lead the skin, and obstacles push it, away from where the rig has it.
#pragma once

#include <vector>

#include "sinew/character/body_binding.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// What both are found from.
struct ReachOfFlesh {
  const FleshMap& map;
  const TetrahedralMesh& mesh;
  const Embedding& embedding;
  double height = 1;  // of the character, metres
};

// Per surface vertex, metres: five times the depth of the flesh there, which is about two and a half times the way from
// skin to bone; far from a bone (fins, ears, tails) at least most of the way to it; a third of the character's height
// at most; zero on bare bone. A pointer that is led across the screen asks for more, and would tear a thin limb apart:
// a linear body turns without limit around its bone.
std::vector<double> hold_reach(const ReachOfFlesh& flesh);

// The same for obstacles, which press flesh together: one and a half times its depth.
std::vector<double> push_reach(const ReachOfFlesh& flesh);

}  // namespace sinew
