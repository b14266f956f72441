// Conjugate gradients within a linear subspace (Baraff and Witkin 1998, section 5; Capell 2004, section 4.8): what a
// projection leaves alone may change, the rest of x stays as it came.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

class ProjectedConjugateGradients {
 public:
  // Minimises x^T A x / 2 - b^T x over x_0 + range(P), x_0 being `x` on entry: P (b - A x) = 0. `matrix` is symmetric
  // and positive definite on the range of the orthogonal projection `projection` (P = P^T = P P, to rounding),
  // elsewhere anything; `preconditioner` symmetric and positive definite there, or empty: P M^-1 P is what is applied.
  // Stops where |P (b - A x)| <= tolerance max(|P b|, |P (b - A x_0)|), the scale that result.relative_residual has
  // too. Throws simulation_error where a number is not finite or an operator proves not to be positive definite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner,
                     const LinearOperator& projection, std::span<const double> b, std::span<double> x,
                     const KrylovOptions& options = {});

 private:
  std::vector<double> residual_, projected_, preconditioned_, direction_, product_;
};

}  // namespace sinew
