// What keeps its shape whatever a method does to the skin: the rigid things of the anatomy, for every method.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/kept_shape.h"
#include "sinew/deform/scene.h"

namespace sinew {

// One group for each thing; its vertices count alike.
std::vector<RigidGroup> rigid_groups(const std::vector<RigidThing>& things);

// The scene with the rigid things that are found in its surface moving as rigid bodies; as it is where there are none.
// `keeps_size`: things stay as large as at rest. Otherwise they grow with the bone that they are on, which only methods
// that answer in shapes of their own, not in displacements from the rig's (Deformer::goal), have to be told.
Scene keeping_rigid(Scene scene, bool keeps_size = true);

}  // namespace sinew
