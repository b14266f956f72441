// A skeleton for characters whose file has joints, but no skin weights (docs/mixed_characters.md).
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Whether some triangles have skin weights.
bool has_skin_weights(const Character& character);

// Whether the file has a skeleton that adopt_skeleton() would choose by itself.
bool has_skeleton_to_adopt(const Character& character);

// How a character without skin weights can be animated all the same, for the end of a sentence: by the method mixed
// where there is a skeleton, else after `sinew rig` has given it one.
std::string remedy_without_weights(const Character& character);

// Binds the surfaces of a character without skin weights to a skeleton as they stand, with weights that are still to be
// found: their parts get a skin and, for every vertex, influences without entries. The skeleton is
//
//   - the joint named `root`, where that is not empty, and all joints below it that show nothing,
//   - else the joints of the skins that the file has,
//   - else the joints that show nothing and that a clip moves, and those below them.
//
// Surfaces that hang on a joint of the skeleton other than its roots (a sword in a hand) stay rigid, unless all do.
// The pose in which they are bound is the skin's bind pose where the surface's own node names a skin with usable
// matrices, or where no node names it and clearly more of its joints lie in the surfaces there; else the default pose
// as the file shows it. Returns a sentence about what was chosen.
//
// Throws input_error where there is no such skeleton or no surface, and usage_error where there is no such root.
std::string adopt_skeleton(Character& character, const std::string& root = {});

}  // namespace sinew
