// Forces that shape the skin as a target asks for (Capell 2004, section 6.5.2, with corresponding vertices).
#pragma once

#include <span>
#include <vector>

#include "sinew/shape/shape_body.h"

namespace sinew {

// The generalised force under which the skin is displaced so in static equilibrium, in the pose that the body has.
// `target_displacement`: per vertex of the skin, metres. Forces act on the skin; their work is weighed against the
// distance that is left in the linear body, and what is left in equilibrium is fitted again. Finer shapes than the body
// can take stay away. (Displacements of all points held by whatever forces they need are no way: tissue under these
// often has another equilibrium.) Throws as ShapeBody::displacements() does.
std::vector<PointForce> forces_for_skin(ShapeBody& body, std::span<const Vec3> target_displacement);

}  // namespace sinew
