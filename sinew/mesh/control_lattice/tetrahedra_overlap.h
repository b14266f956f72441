// Overlap test of two tetrahedra.
#pragma once

#include <array>

#include "sinew/linalg/small.h"

namespace sinew {

// True if they penetrate by more than `depth`, metres, along every axis that could separate them: the normals of their
// faces and the cross products of their edges. Both must have positive volume.
bool tetrahedra_overlap(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b, double depth);

}  // namespace sinew
