// Gives a skeleton to characters whose file has joints but no skin weights (docs/mixed_characters.md).
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Whether some triangles have skin weights.
bool has_skin_weights(const Character& character);

// Whether the file has a skeleton that adopt_skeleton() would choose by itself.
bool has_skeleton_to_adopt(const Character& character);

// The end of a message on how a character without skin weights can be animated: by the method mixed if there is
// a skeleton, otherwise after `sinew rig` has made one.
std::string remedy_without_weights(const Character& character);

// Binds the surfaces of a character without skin weights to a skeleton. Their parts get a skin and empty influences;
// weights are found later. The skeleton is
//
//   - the joint named `root`, if given, and all joints below it that show no surface,
//   - else the joints of the file's skins,
//   - else the joints without a surface that a clip moves, and those below them.
//
// Surfaces that hang on a joint of the skeleton other than its roots (a sword in a hand) stay rigid, unless all do.
// Surfaces are bound in the skin's bind pose if their node names a skin with usable matrices, or if no node names one
// and clearly more of its joints lie inside the surfaces in that pose; otherwise in the default pose. Returns a
// sentence about the choice.
//
// Throws input_error if there is no such skeleton or no surface, and usage_error if there is no such root.
std::string adopt_skeleton(Character& character, const std::string& root = {});

}  // namespace sinew
