// A character for experiments that need no file: the tube on two joints, with two clips.
#pragma once

#include "sinew/character/character.h"

namespace sinew {

// It stands on y = 0, a metre high. In both clips, `sway` and `hop`, it is shaken on the whole and bends at its joint,
// two seconds long; they share no frequency.
Character dancing_tube();

}  // namespace sinew
