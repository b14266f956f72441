// BiCGSTAB (van der Vorst 1992) for systems that are not symmetric, such as equation 5.10 of Capell (2004): the work
// space is eight vectors however many iterations it takes, and each of them costs two products, where GMRES keeps a
// vector per product.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

class BiCgStab {
 public:
  // Preconditioned from the right, so that the residual tested is that of the system itself; on success it is checked
  // against b - A x. `preconditioner` may be empty. Begins anew where its recurrence breaks down and returns without
  // convergence where that does not help either (a singular matrix, a tolerance below rounding). The best of the
  // iterates is what is left in `x`. Throws simulation_error where a number is not finite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<const double> b,
                     std::span<double> x, const KrylovOptions& options = {});

 private:
  // Runs from the residual at x until convergence, breakdown or the limit, leaving the best iterate in x. False where
  // not even one step could be made.
  bool run(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<double> x, double size,
           const KrylovOptions& options, KrylovResult& result);

  std::vector<double> residual_, shadow_, direction_, preconditioned_, image_, stabilized_, best_;
};

}  // namespace sinew
