// Common parts of the iterative solvers: argument checks, norms that must be finite, residuals.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

// a|. Throws simulation_error with `what` as the name of the vector where the norm is not finite.
double finite_norm(std::span<const double> a, const char* what);

// Throws usage_error where the solution and the right-hand side differ in length, and for impossible limits.
void check_krylov_call(std::span<const double> b, std::span<const double> x, const KrylovOptions& options);

// residual = b - A x
void compute_residual(const LinearOperator& matrix, std::span<const double> b, std::span<const double> x,
                      std::vector<double>& residual);

// For solvers whose recurrences may drift from the residual b - A x or break down: calls run() until that residual is
// within the tolerance, the limit of iterations is reached, or a run reduces the residual by less than a tenth. run()
// starts from the true residual in `residual`, improves x, counts its iterations in the result, and returns false where
// it made no progress.
KrylovResult solve_in_runs(const LinearOperator& matrix, std::span<const double> b, std::span<double> x,
                           const KrylovOptions& options, std::vector<double>& residual,
                           const std::function<bool(double size_of_b, KrylovResult& result)>& run);

// to = M^-1 from, or a copy without a preconditioner.
void precondition(const LinearOperator& preconditioner, std::span<const double> from, std::vector<double>& to);

}  // namespace sinew
