// What a report says about the shape of a body in a lattice.
#pragma once

#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Volume and det F, from the mean deformation gradients of the flesh in cells; `position` per function, metres, world.
BodyMeasures measure_volume(const LatticeDescription& description, std::span<const Vec3> position);

}  // namespace sinew
