// A regular grid of cubes around a surface, as a lattice to begin with.
#pragma once

#include <optional>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/lattice_editing/symmetry.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The cubes that hold a part of the surface or of what it encloses, by the generalised winding number, as hexahedra.
// `across`: number of cubes along the longest side of the surface's bounds, 1 to most_grid_cells_across. With a plane,
// the grid lies symmetrically to it. It has no bones. Throws usage_error for other numbers, and input_error for a
// surface without extent.
ControlLattice grid_lattice(const TriangleMesh& surface, int across,
                            const std::optional<SymmetryPlane>& plane = std::nullopt);
inline constexpr int most_grid_cells_across = 40;

}  // namespace sinew
