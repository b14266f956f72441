// Iterative solution of linear systems with a preconditioner: flexible GMRES for any operator,
// conjugate gradients for symmetric positive definite ones.
//
// All vectors have the length of `b`. `x` holds the initial guess on entry and the solution on return. Sums are taken
// in a fixed order, so that results do not depend on the number of threads if the operators' do not. Solvers keep their
// work space between calls.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace sinew {

// to = A from; the two never overlap.
using LinearOperator = std::function<void(std::span<const double> from, std::span<double> to)>;

struct KrylovOptions {
  double tolerance = 1e-6;  // stop where |b - A x| <= tolerance |b|
  int max_iterations = 1000;
  int restart = 40;  // GMRES: number of directions kept before a restart
};

struct KrylovResult {
  int iterations = 0;            // applications of the operator, without those for initial residuals
  double relative_residual = 0;  // |b - A x| / |b|, from the recurrence
  bool converged = false;
};

// Restarted GMRES, preconditioned from the right, so that the residual minimised and tested is the system's own.
// Flexible (Saad 1993, "A flexible inner-outer preconditioned GMRES algorithm", algorithm 2.2): the preconditioned
// directions are kept, which saves one application of the preconditioner per restart and allows the preconditioner to
// vary, e.g. by rounding to single precision.
class Gmres {
 public:
  // `preconditioner` may be empty. Throws simulation_error where a number is not finite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<const double> b,
                     std::span<double> x, const KrylovOptions& options = {});

 private:
  std::vector<std::vector<double>> basis_, directions_;  // v_j and M^-1 v_j
  std::vector<double> residual_;
  std::vector<double> hessenberg_;  // upper triangular after the rotations; column j has j + 2 entries
  std::vector<double> cosine_, sine_, rhs_;
  std::vector<double> partial_, again_;
};

// Preconditioned conjugate gradients; matrix and preconditioner are symmetric positive definite.
class ConjugateGradients {
 public:
  // `preconditioner` may be empty. Throws simulation_error where a number is not finite or the
  // operator proves not to be positive definite.
  KrylovResult solve(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<const double> b,
                     std::span<double> x, const KrylovOptions& options = {});

 private:
  std::vector<double> residual_, preconditioned_, direction_, product_;
};

}  // namespace sinew
