// Smooth motion from a trilinear solution (Capell 2004, section 5.2.3): dynamics are computed with trilinear functions,
// which are cheap, and shown with those of MLCA, which have no creases.
#pragma once

#include <span>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/control_lattice/point_values.h"

namespace sinew {

// The values of the trilinear solution at the vertices of its finest level K_L, L = basis_levels - 1, are taken as
// control values of MLCA there.
//
// A point is where the parameterisation by MLCA has it, not where the trilinear one has it: so its weights sum to 1 and
// give the point back from the rest positions, and every affine motion of the control values, every rigid one above
// all, moves the point exactly along. Displacements and positions then reconstruct alike (docs/control_lattices.md).
struct SmoothReconstruction {
  SparseRows rows;  // points x functions of hierarchical_basis(lattice, basis_levels), trilinear
  LatticeEmbedding
      embedding;  // in MLCA's parameterisation, which lies inside of the trilinear one where that is convex
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
