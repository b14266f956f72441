// Smooth motion from a trilinear solution (Capell 2004, section 5.2.3): dynamics are computed with trilinear functions,
// which are cheap, and the output with those of MLCA, which have no creases.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/point_values.h"

namespace sinew {

// The values of the trilinear solution at the vertices of its finest level K_L, L = basis_levels - 1, serve as control
// values p_j of MLCA there, with functions S_j and rest positions r_j. A point x of rest space is located in the
// parameterisation by MLCA, at u, not in the trilinear one. The domain of MLCA is smaller at the boundary; beyond it, u
// is the nearest point, and the motion is continued with the mean gradients F_j of the solution around the vertices:
//   p(x) = sum_j S_j(u) (p_j + F_j (x - sum_k S_k(u) r_k)).
// Every affine motion of the control values (rigid ones among them) therefore moves x exactly along, and displacements
// and positions are reconstructed alike (docs/control_lattices.md).
struct SmoothReconstruction {
  SparseRows rows;                    // points x functions of hierarchical_basis(lattice, basis_levels), trilinear
  std::vector<OutsidePoint> outside;  // points outside MLCA's domain by more than the tolerance, the farthest first
};

// `points` in rest space, metres; `triangles` and `tolerance` as in embed_in_lattice(). `levels`: number of MLCA levels
// beyond K_L. Throws as subdivide() and embed_in_lattice() do.
SmoothReconstruction smooth_reconstruction(const ControlLattice& lattice, int basis_levels,
                                           std::span<const Vec3> points, std::span<const Triangle> triangles = {},
                                           double tolerance = 0, int levels = 3);

// K_level as a control lattice: trilinear positions; bones, creases and corners along the same edges; painted values
// carried along. `level` >= 0.
ControlLattice refined_lattice(const ControlLattice& lattice, int level);

}  // namespace sinew
