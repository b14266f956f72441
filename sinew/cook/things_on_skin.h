// Rigid things and the skin under them: eyes and brows on a face, buttons on a belly, an object in a hand. Things move
// with the skin under them, and that skin moves rigidly with them, so that things neither sink in nor come off.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"

namespace sinew {

struct ThingsOnSkin {
  std::vector<RigidPart> things;      // touching things of one bone, and those on the same skin, are merged
  std::vector<RigidFooting> footing;  // per thing
  std::vector<GluedVertex> glued;     // groups are indices of `things`
};

// A thing lies on the skin that it touches if that skin follows the thing's bone, its parent, children or siblings; a
// sword beside a leg does not lie on it. Skin directly under a thing follows it fully, skin around it gradually less.
ThingsOnSkin things_on_skin(const SimulationSurface& surface, const std::vector<RigidPart>& things);

}  // namespace sinew
