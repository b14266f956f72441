// The mirror symmetry of a lattice's vertices.
#pragma once

#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// A plane across one of the axes.
struct SymmetryPlane {
  std::size_t axis = 0;  // 0: x, 1: y, 2: z
  double at = 0;         // coordinate of the plane on that axis, metres, rest space
};

Vec3 mirrored(Vec3 position, const SymmetryPlane& plane);
Vec3 mirrored_direction(Vec3 direction, const SymmetryPlane& plane);

// Per vertex, the vertex at its mirror image, up to 1e-4 of the lattice's extent: itself on the plane, -1 where there
// is none. A vertex is the partner of its partner.
std::vector<int> mirror_partners(const ControlLattice& lattice, const SymmetryPlane& plane);

// The vertices' partners. Throws usage_error where one has none.
std::vector<int> partners_of(const std::vector<int>& partners, const std::vector<int>& vertices);

}  // namespace sinew
