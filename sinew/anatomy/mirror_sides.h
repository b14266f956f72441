// Classification of bones: on the symmetry plane of a character, or one of a left-right pair.
#pragma once

#include <vector>

#include "sinew/anatomy/bone_regions.h"

namespace sinew {

enum class Side { middle, paired, unknown };

// Determined from the mirror images of the bones' regions: a bone is in the middle if no other bone is nearer to its
// image than itself. `size`: the character's longest side, metres. All are `unknown` where the character has no mirror
// symmetry on either axis.
std::vector<Side> sides_of(const BoneRegions& regions, double size);

}  // namespace sinew
