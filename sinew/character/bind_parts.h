// Characters without skin weights that are made of parts, each on a node that clips move (Blockbench, Kenney,
// Minecraft).
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Whether the character's body is such: no part has a skin, and clips move nodes that show surfaces, or surfaces hang
// on several nodes that clips move and none of these carries most of them.
bool is_made_of_parts(const Character& character);

// Binds each part of such a character to the node that moves it, which is then its bone: all of its vertices with
// weight 1. The part stays where it was in every pose, so that files need none of these skins (moves_as_its_node). What
// no clip moves is bound to its own node, unless it is much larger than what is moved (a floor, a room). Returns a
// sentence about what was bound; empty where the character is not made of parts.
std::string bind_parts_to_nodes(Character& character);

// Whether a part's skin has it wherever its node, without a skin, has it in every pose of every clip.
bool moves_as_its_node(const Character& character, const Part& part);

}  // namespace sinew
