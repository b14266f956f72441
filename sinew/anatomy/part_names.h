// What the name of a bone, a mesh or a material says: the last of all evidence (docs/anatomy.md).
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

// Stems in several languages, as they stand in names of Blender, Maya, 3ds Max, Unreal, Mixamo and VRM: words are
// parted at capitals, digits and signs. Of several the last that says anything counts ("LeftHandThumb" is soft,
// "ear_head" bony).
NamedAs named_as(std::string_view name);

}  // namespace sinew
