// Keeps the rigid things of the anatomy rigid, whatever a method does to the skin. For every method.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"
#include "sinew/deform/scene.h"

namespace sinew {

// A group of all vertices of a thing, with equal weights.
RigidGroup rigid_group(const RigidPart& thing);

// Adds the things to `shape` as rigid groups that move with the skin under them (cook/things_on_skin.h). Things of one
// bone that touch each other, or the same skin, form one group. Returns each group's surface bone.
std::vector<int> keep_things(const SimulationSurface& surface, const std::vector<RigidPart>& things, KeptShape& shape);

// The scene with the rigid things of its surface moving as rigid bodies; unchanged if there are none. With `keeps_size`
// things keep their size at rest; otherwise they scale with their bone, which matters only for methods that compute
// absolute shapes instead of displacements from the rig's (Deformer::goal).
Scene keeping_rigid(Scene scene, bool keeps_size = true);

}  // namespace sinew
