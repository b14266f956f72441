// Rigid things and the skin that they lie on: eyes and brows on a face, buttons on a belly, what a hand holds. Things
// move as the skin under them does, and that skin goes along with them, so that they neither sink in nor come off.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"

namespace sinew {

struct ThingsOnSkin {
  std::vector<RigidThing> things;     // those of one bone that touch each other, or the same skin, are one
  std::vector<RigidFooting> footing;  // per thing
  std::vector<GluedVertex> glued;     // groups are things
};

// A thing lies on skin that it touches, if that follows the thing's bone or the next of its kin: the bone above, those
// below and beside it. A sword beside a leg does not. Skin right under a thing goes along fully, skin around it less
// and less.
ThingsOnSkin things_on_skin(const SimulationSurface& surface, const std::vector<RigidThing>& things);

}  // namespace sinew
