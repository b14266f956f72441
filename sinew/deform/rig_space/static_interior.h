// Interior vertices in static equilibrium with the boundary (Hahn 2013, equation 5): what volumetric skinning
// approximates, and what it is learned from.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/rig_space/reduced_basis.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {

class StaticInterior {
 public:
  // Keeps references; all vertices of `energy` must be active as moving.
  StaticInterior(const RigSpaceBody& body, TetrahedralEnergy& energy);

  // q = arg min W(b, q) by Newton's method from the interior in x (world, metres), with the boundary in x held. Returns
  // the number of steps. Throws simulation_error where none is found.
  int solve(std::span<Vec3> x);

  // dq/dp = -K_qq^-1 K_qb db/dp at the equilibrium in x, below the rows of the boundary: G over all vertices.
  ReducedBasis basis(std::span<const Vec3> x, const ReducedBasis& boundary);

 private:
  // Of K_qq at x; the exact one where it is positive definite, else one that is.
  void factor(std::span<const Vec3> x);

  const RigSpaceBody& body_;
  TetrahedralEnergy& energy_;
  std::vector<int> interior_number_;  // per vertex: among the interior ones, or -1
  BlockMatrix hessian_;
  BlockCholesky cholesky_;
  bool analysed_ = false;
  std::vector<Vec3> gradient_;
};

}  // namespace sinew
