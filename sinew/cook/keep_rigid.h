// Keeps the rigid parts of the anatomy rigid, whatever a method does to the skin. For every method.
#pragma once

#include <functional>
#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"
#include "sinew/deform/scene.h"

namespace sinew {

// A group of all vertices of a part, with equal weights.
RigidGroup rigid_group(const RigidPart& part);

// Adds the parts to `shape` as rigid groups that move with the skin under them, or with their own flesh:
// parts_on_skin() says which, and which parts form one group. Returns each group's surface bone.
std::vector<int> keep_rigid_parts(const SimulationSurface& surface, const std::vector<RigidPart>& parts,
                                  KeptShape& shape, const std::function<bool(const RigidPart&)>& has_flesh = {});

// The scene with the rigid parts of its surface moving as rigid bodies; unchanged if there are none. With `keeps_size`
// parts keep their size at rest; otherwise they scale with their bone, which matters only for methods that compute
// absolute shapes instead of displacements from the rig's (Deformer::goal).
Scene keeping_rigid(Scene scene, bool keeps_size = true);

}  // namespace sinew
