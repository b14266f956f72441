// Conjugate gradients within a linear subspace (Baraff and Witkin 1998, section 5; Capell 2004, section 4.8): x changes
// only within the range of a projection.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

class ProjectedConjugateGradients {
 public:
  // Minimises x^T A x / 2 - b^T x over x_0 + range(P), where x_0 is `x` on entry: P (b - A x) = 0. `projection` is
  // orthogonal (P = P^T = P P, to rounding). `matrix` must be symmetric and positive definite on its range, and may be
  // anything elsewhere. `preconditioner` must be symmetric and positive definite there, or empty; P M^-1 P is applied.
  // Stops where |P (b - A x)| <= tolerance max(|P b|, |P (b - A x_0)|); result.relative_residual has the same scale.
  // Throws simulation_error where a number is not finite or an operator proves not to be positive definite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner,
                     const LinearOperator& projection, std::span<const double> b, std::span<double> x,
                     const KrylovOptions& options = {});

 private:
  std::vector<double> residual_, projected_, preconditioned_, direction_, product_;
};

}  // namespace sinew
