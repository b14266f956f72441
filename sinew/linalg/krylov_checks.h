// What the iterative solvers of linalg share: refusals, norms that must be finite, residuals.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/krylov.h"

namespace sinew {

// |a|. Throws simulation_error naming `what` where it is not finite.
double finite_norm(std::span<const double> a, const char* what);

// Throws usage_error for a solution of another length than the right-hand side, and for impossible limits.
void check_krylov_call(std::span<const double> b, std::span<const double> x, const KrylovOptions& options);

// residual = b - A x
void compute_residual(const LinearOperator& matrix, std::span<const double> b, std::span<const double> x,
                      std::vector<double>& residual);

// to = M^-1 from, or a copy where there is no preconditioner.
void precondition(const LinearOperator& preconditioner, std::span<const double> from, std::vector<double>& to);

}  // namespace sinew
