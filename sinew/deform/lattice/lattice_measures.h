// Measurements of the shape of a body in a lattice, for reports.
#pragma once

#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// Measures volume and det F from the mean deformation gradient of the flesh in each cell. `position`: per function,
// metres, world.
BodyMeasures measure_volume(const LatticeDescription& description, std::span<const Vec3> position);

}  // namespace sinew
