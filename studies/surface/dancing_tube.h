// A character for experiments without a file: the tube on two joints, with two clips.
#pragma once

#include "sinew/character/character.h"

namespace sinew {

// The tube stands on y = 0 and is one metre high. In both clips, `sway` and `hop`, it is shaken as a whole and bends at
// its joint for two seconds; they have no frequency in common.
Character dancing_tube();

}  // namespace sinew
