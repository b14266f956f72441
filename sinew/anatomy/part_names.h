// The tissue that the name of a bone, mesh or material suggests: the weakest of all evidence (docs/anatomy.md).
#pragma once

#include <string_view>

namespace sinew {

enum class NamedAs {
  nothing,
  bony,  // heads, hands, feet
  hard,  // eyes, teeth, horns, armour, weapons
  soft,  // trunks of bodies, limbs, tails, tongues
  thin,  // ears, fins, wings, capes, hair
};

// Looks for word stems in several languages, as used in names of Blender, Maya, 3ds Max, Unreal, Mixamo and VRM. Words
// are separated at capitals, digits and signs. The last known word decides ("LeftHandThumb" is soft, "ear_head" bony).
NamedAs named_as(std::string_view name);

}  // namespace sinew
