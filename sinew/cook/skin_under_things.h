// The skin that rigid things lie on: eyes and brows on a face, buttons on a belly. It goes along with them, so that they neither
// sink in nor come off.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/kept_shape.h"

namespace sinew {

// For the groups of rigid_groups(things). Skin right under a thing goes along fully, skin around it less and less. Only skin that
// the rig moves with the thing's bone does: a sword beside a leg takes none of it along.
std::vector<GluedVertex> skin_under_things(const SimulationSurface& surface, const std::vector<RigidThing>& things);

}  // namespace sinew
