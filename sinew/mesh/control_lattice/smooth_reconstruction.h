// Smooth motion from a trilinear solution (Capell 2004, section 5.2.3): dynamics are computed with trilinear functions,
// which are cheap, and shown with those of MLCA, which have no creases.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/point_values.h"

namespace sinew {

// The values of the trilinear solution at the vertices of its finest level K_L, L = basis_levels - 1, are taken as
// control values p_j of MLCA there, with functions S_j and rest positions r_j. A point x of rest space is where the
// parameterisation by MLCA has it, u, not where the trilinear one has it. That by MLCA is smaller at the boundary;
// beyond it, u is the nearest point, and the motion goes on with the mean gradients F_j of the solution around the
// vertices:
//   p(x) = sum_j S_j(u) (p_j + F_j (x - sum_k S_k(u) r_k)).
// So every affine motion of the control values, every rigid one above all, moves x exactly along, and displacements and
// positions reconstruct alike (docs/control_lattices.md).
struct SmoothReconstruction {
  SparseRows rows;                    // points x functions of hierarchical_basis(lattice, basis_levels), trilinear
  std::vector<OutsidePoint> outside;  // of MLCA's parameterisation by more than the tolerance; the farthest first
};

// `points` in rest space, metres; `triangles` and `tolerance` as in embed_in_lattice(). `levels`: of MLCA beyond K_L.
// Throws as subdivide() and embed_in_lattice() do.
SmoothReconstruction smooth_reconstruction(const ControlLattice& lattice, int basis_levels,
                                           std::span<const Vec3> points, std::span<const Triangle> triangles = {},
                                           double tolerance = 0, int levels = 3);

// The lattice of K_level: trilinear positions; bones, creases and corners along the same edges. `level` >= 0. Painted
// values are carried along.
ControlLattice refined_lattice(const ControlLattice& lattice, int level);

}  // namespace sinew
