// Legs of a body of links, as its controllers see them.
#pragma once

#include <vector>

#include "sinew/dynamics/character_links.h"

namespace sinew {

// Links of a leg that ends in a foot with skin.
struct LegLinks {
  int thigh = -1, shin = -1, foot = -1;
};
std::vector<LegLinks> legs_of(const CharacterLinks& links);

// Whether a link is that foot or toes that hang on it.
bool is_part_of_foot(const CharacterLinks& links, int link, int foot);

// Height of the lowest skin of a foot and of its toes, metres.
double lowest_sole(const CharacterLinks& links, int foot, const PlacedJoints& placed);

}  // namespace sinew
