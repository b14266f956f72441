// Solvers for linear systems over the unknowns of a lattice: conjugate gradients, projected to the subspace of the
// position constraints (Capell 2004, section 4.8), or BiCGSTAB for equation 5.10, which is not symmetric
// (docs/krylov.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/held_points.h"
#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/linalg/krylov/bicgstab.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/krylov/projected_conjugate_gradients.h"

namespace sinew {

struct LatticeSystem {
  LinearOperator matrix, approximate_inverse;
  bool symmetric = true;
};

class LatticeSolver {
 public:
  explicit LatticeSolver(HeldBy held_by = HeldBy::subspace) : held_by_(held_by) {}

  // Solves A x = b from x = 0, with x in the subspace of `held` unless that is empty; b must be in that subspace. With
  // HeldBy::multipliers x may leave it within the tolerance.
  KrylovResult solve(const LatticeSystem& system, const HeldPoints& held, std::span<const double> b,
                     std::span<double> x, const KrylovOptions& options);
  KrylovResult solve(const LatticeSystem& system, std::span<const double> b, std::span<double> x,
                     const KrylovOptions& options);

 private:
  HeldBy held_by_;
  ConjugateGradients conjugate_gradients_;
  ProjectedConjugateGradients projected_;
  BiCgStab bicgstab_;
};

}  // namespace sinew
