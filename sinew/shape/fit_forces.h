// Forces that shape the skin as a target asks for (Capell 2004, section 6.5.2, with corresponding vertices).
#pragma once

#include <span>
#include <vector>

#include "sinew/shape/shape_body.h"

namespace sinew {

// The generalised force under which the skin is displaced so in static equilibrium, in the pose that the body has.
// `target_displacement`: per vertex of the skin, metres. Forces act on the skin; their work is weighed against the
// distance that is left, so that what the body's points cannot follow stays. Throws as ShapeBody::small_displacements()
// does.
std::vector<PointForce> forces_for_skin(ShapeBody& body, std::span<const Vec3> target_displacement);

}  // namespace sinew
