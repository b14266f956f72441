// Characters without skin weights that are made of rigid parts on animated nodes (Blockbench, Kenney, Minecraft).
#pragma once

#include <string>

#include "sinew/character/character.h"

namespace sinew {

// Whether the body is made of parts: no part has a skin, and clips move nodes that show surfaces, or surfaces hang on
// several animated nodes, none of which carries most of them.
bool is_made_of_parts(const Character& character);

// Binds each part with weight 1 to the node that moves it, which becomes its bone. Poses do not change, so files need
// not store these skins (moves_as_its_node). A part that no clip moves is bound to its own node, unless it is much
// larger than the moved ones (a floor, a room). Returns a sentence about the result; empty if the character is not made
// of parts.
std::string bind_parts_to_nodes(Character& character);

// Binds each surface with weight 1 to the node that shows it: a mesh without a skeleton as one body.
void bind_to_own_nodes(Character& character);

// Whether the part's skin moves it exactly as its node would in every pose of every clip.
bool moves_as_its_node(const Character& character, const Part& part);

}  // namespace sinew
