// The character of the comparison of skinning where no file is given.
#pragma once

#include "sinew/character/character.h"

namespace sinew {

// A closed tube, a metre high and 0.2 m wide, on the joints `lower` and `upper`. Weights pass smoothly from one to the
// other, over its width on either side of the joint.
Character bent_tube();

}  // namespace sinew
