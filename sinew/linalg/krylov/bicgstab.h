// BiCGSTAB (van der Vorst 1992) for systems that are not symmetric, such as equation 5.10 of Capell (2004). It needs
// seven work vectors for any number of iterations, and two products per iteration; GMRES keeps one vector per product.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

class BiCgStab {
 public:
  // Preconditioned from the right, so that the residual tested is the system's own; on success it is checked against b
  // - A x. `preconditioner` may be empty. Restarts where its recurrence breaks down, and returns without convergence
  // where that does not help (a singular matrix, a tolerance below rounding). `x` receives the best iterate. Throws
  // simulation_error where a number is not finite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<const double> b,
                     std::span<double> x, const KrylovOptions& options = {});

 private:
  // Iterates from the residual at x until convergence, breakdown or the limit, and leaves the best iterate in x.
  // Returns false where not even one step could be made.
  bool run(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<double> x, double size,
           const KrylovOptions& options, KrylovResult& result);

  std::vector<double> residual_, shadow_, direction_, preconditioned_, image_, stabilized_, best_;
};

}  // namespace sinew
