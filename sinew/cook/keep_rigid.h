// What keeps its shape whatever a method does to the skin: the rigid things of the anatomy, for every method.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"
#include "sinew/deform/scene.h"

namespace sinew {

// All vertices of a thing, which count alike.
RigidGroup rigid_group(const RigidThing& thing);

// The things as rigid groups on their skin, which goes along with them (cook/things_on_skin.h). Things of one bone that
// touch each other, or the same skin, are one group. Returns each group's bone of the surface.
std::vector<int> keep_things(const SimulationSurface& surface, const std::vector<RigidThing>& things, KeptShape& shape);

// The scene with the rigid things that are found in its surface moving as rigid bodies; as it is where there are none.
// `keeps_size`: things stay as large as at rest. Otherwise they grow with the bone that they are on, which only methods
// that answer in shapes of their own, not in displacements from the rig's (Deformer::goal), have to be told.
Scene keeping_rigid(Scene scene, bool keeps_size = true);

}  // namespace sinew
