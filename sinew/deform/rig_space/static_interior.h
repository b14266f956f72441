// Interior vertices in static equilibrium with the boundary (Hahn 2013, equation 5): the solution that volumetric
// skinning approximates and is learned from.
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
  // Keeps references. All vertices must be active as moving in `energy`.
  StaticInterior(const RigSpaceBody& body, TetrahedralEnergy& energy);

  // Finds q = arg min W(b, q) by Newton's method, with the boundary in x fixed, starting from the interior in x (world,
  // metres). Returns the number of iterations. Throws simulation_error if none is found.
  int solve(std::span<Vec3> x);

  // Returns G over all vertices: the rows of `boundary`, then dq/dp = -K_qq^-1 K_qb db/dp at the equilibrium in x.
  ReducedBasis basis(std::span<const Vec3> x, const ReducedBasis& boundary);

 private:
  // Factorises K_qq at x, or a positive definite approximation where it is indefinite.
  void factor(std::span<const Vec3> x);

  const RigSpaceBody& body_;
  TetrahedralEnergy& energy_;
  std::vector<int> interior_number_;  // per vertex: index among the interior ones, or -1
  BlockMatrix hessian_;
  BlockCholesky cholesky_;
  bool analysed_ = false;
  std::vector<Vec3> gradient_;
};

}  // namespace sinew
