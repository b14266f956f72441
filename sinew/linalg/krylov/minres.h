// MINRES (Paige and Saunders 1975) for symmetric systems that may be indefinite, such as those with Lagrange
// multipliers, equations 3.14 and 4.5 of Capell (2004). The preconditioner is symmetric positive definite.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

class Minres {
 public:
  // `preconditioner` may be empty. The iterates minimise the residual in the norm of the preconditioner, but the test
  // is for |b - A x|: by a recurrence, and on success by a product. Restarts where those two have drifted apart, and
  // returns without convergence where the system is singular and b is not in its range. Throws simulation_error where a
  // number is not finite or the preconditioner proves not to be positive definite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<const double> b,
                     std::span<double> x, const KrylovOptions& options = {});

 private:
  // Runs from the residual at x until convergence, the end of the Krylov space or the limit.
  void run(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<double> x, double size,
           const KrylovOptions& options, KrylovResult& result);

  std::vector<double> residual_;                   // residual of x, by recurrence
  std::vector<double> previous_, current_, next_;  // Lanczos vectors times their lengths, unpreconditioned
  std::vector<double> preconditioned_, basis_;  // M^-1 current_, and the Lanczos vector of unit length in the norm of M
  std::vector<double> oldest_, older_, direction_;
};

}  // namespace sinew
