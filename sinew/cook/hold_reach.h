// How far a hand may lead the skin away from where the rig has it.
#pragma once

#include <vector>

namespace sinew {

struct FleshScene;

// Per surface vertex, metres: five times the depth of the flesh there, which is about two and a half times the way from skin to bone;
// far from a bone (fins, ears, tails) at least most of the way to it; a third of the character's height at most; zero on bare
// bone. A pointer that is led across the screen asks for more, and would tear a thin limb apart: a linear body turns without
// limit around its bone.
std::vector<double> hold_reach(const FleshScene& scene);

}  // namespace sinew
