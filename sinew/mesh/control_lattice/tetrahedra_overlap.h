// Do two tetrahedra overlap?
#pragma once

#include <array>

#include "sinew/linalg/small.h"

namespace sinew {

// Whether they reach into one another by more than `depth`, metres, along every axis that could separate them: the
// normals of their faces and the cross products of their edges. Both must have positive volume.
bool tetrahedra_overlap(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b, double depth);

}  // namespace sinew
