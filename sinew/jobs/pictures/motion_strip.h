// A small picture of a clip: the character, as its rig alone poses it, at a few times.
#pragma once

#include "sinew/character/character.h"
#include "sinew/files/png.h"

namespace sinew {

// `count` pictures of this height in pixels, side by side, at the middles of equal spans of the clip.
Image motion_strip(const Character& character, int clip, int height, int count = 3);

}  // namespace sinew
