// Rigid parts and the skin under them: eyes and brows on a face, buttons on a belly, an object in a hand. Parts move
// with the skin under them, and that skin moves rigidly with them, so that parts neither sink in nor come off.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"

namespace sinew {

struct PartsOnSkin {
  std::vector<RigidPart> parts;       // touching parts of one bone, and those on the same skin, are merged
  std::vector<RigidFooting> footing;  // per part
  std::vector<GluedVertex> glued;     // groups are indices of `parts`
};

// A part lies on the skin that it touches if that skin follows the part's bone, its parent, children or siblings; a
// sword beside a leg does not lie on it. Skin directly under a part follows it fully, skin around it gradually less.
PartsOnSkin parts_on_skin(const SimulationSurface& surface, const std::vector<RigidPart>& parts);

}  // namespace sinew
