// Which bones are in the middle of a character, and which are one of two: left and right.
#pragma once

#include <vector>

#include "sinew/anatomy/bone_regions.h"

namespace sinew {

enum class Side { middle, paired, unknown };

// From where the mirror images of the bones' regions lie: a bone is in the middle where no other bone is nearer to its
// image than itself. `size`: the character's longest side, metres. All unknown where the character is its own image on
// neither axis.
std::vector<Side> sides_of(const BoneRegions& regions, double size);

}  // namespace sinew
