// Correction of the interior positions that volumetric skinning alone gives.
//
// Volumetric skinning, q = W b, makes a body too stiff: weights that are non-negative and sum to one do not depend on
// direction, so that they cannot represent how flesh gives way sideways. The missing part is added in a frame that
// turns with the body:
//
//   q = W b + R (d + sum_j c_j (p_j - rest_j)),    c_j = dq/dp_j - W db/dp_j at rest,    dq/dp = -K_qq^-1 K_qb db/dp
//
// where R is the rotation of the body around each interior vertex. c is the response to single free parameters, to
// first order at rest; with it the reduced stiffness at rest is that of a body whose interior is in equilibrium. d is
// what remains in the current pose, and is found during simulation (interior_relaxation.h). Not in Hahn (2013).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/rig_space/reduced_basis.h"
#include "sinew/linalg/small.h"

namespace sinew {

struct RigSpaceBody;

struct InteriorCorrection {
  ReducedBasis rest;  // c: a row per interior vertex, a column per free parameter; rest space, metres per unit
  // Deformation gradient at an interior vertex, the mean over the tetrahedra around it weighted by volume: sum of x g^T
  // over the entries start[i] .. start[i + 1]. No entries where c is zero.
  std::vector<int> start{0};
  std::vector<int> vertex;
  std::vector<Vec3> gradient;  // 1/m

  bool empty() const { return rest.tile.empty(); }
};

// `boundary`: G of the boundary with all parameters at rest. Displacements below the fraction `negligible` of the
// largest that a parameter causes are dropped. The body must have W and its material; only ratios of moduli matter.
// Throws simulation_error if the interior is not stable at rest.
InteriorCorrection interior_correction(const RigSpaceBody& body, const ReducedBasis& boundary,
                                       double negligible = 0.01);

// Computes R of each interior vertex that has a correction, for the body in x (world, all vertices); the identity for
// others.
void interior_rotations(const InteriorCorrection& correction, std::span<const Vec3> x, std::span<Mat3> rotations);

// Adds R (d + c (p - rest)) to the positions of the interior vertices. `away`: p - rest per free parameter; `offset`:
// d.
void add_correction(const InteriorCorrection& correction, std::span<const Mat3> rotations, std::span<const double> away,
                    std::span<const Vec3> offset, std::span<Vec3> interior);

}  // namespace sinew
