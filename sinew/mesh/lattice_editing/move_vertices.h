// Moving vertices of a lattice.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/lattice_editing/symmetry.h"

namespace sinew {

struct VertexMove {
  std::vector<int> vertices;  // that are moved in full
  Vec3 by;                    // metres, rest space
  double falloff = 0;         // metres along edges, within which other vertices follow; 0: none do
  // The partners of vertices move by the mirror image, and vertices on the plane within it; empty: they do not.
  std::optional<SymmetryPlane> mirror;
};

// Per vertex its share of the move, 0 to 1: (1 - (d / falloff)^2)^2 at a distance of d along edges from the nearest
// vertex that is moved in full.
std::vector<double> move_shares(const ControlLattice& lattice, std::span<const int> vertices, double falloff);

// The lattice with vertices moved. A vertex that both sides move goes by the mean of both, weighted by their shares, so
// that mirrored lattices stay mirrored. Cells may be folded by it; lattice_problems() says where. Throws usage_error
// for vertices that the lattice does not have, and for numbers that are not finite.
ControlLattice moved_vertices(const ControlLattice& lattice, const VertexMove& move);

// The vertices go to the nearest points of a segment.
ControlLattice snapped_to_segment(const ControlLattice& lattice, std::span<const int> vertices, const Vec3& head,
                                  const Vec3& tail);
// The vertices go to a line through their mean that is parallel to the segment, each to its nearest point.
ControlLattice made_parallel_to_segment(const ControlLattice& lattice, std::span<const int> vertices, const Vec3& head,
                                        const Vec3& tail);

}  // namespace sinew
