#include "sinew/linalg/krylov/minres.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/linalg/krylov/krylov_checks.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr double vanishing = 1e-14;

// sqrt(a . M^-1 a); what is negative within rounding is zero.
double preconditioned_norm(std::span<const double> a, std::span<const double> preconditioned) {
  const double squared = dot(a, preconditioned);
  if (squared >= 0) return std::sqrt(squared);
  const double rounding =
      vanishing * finite_norm(a, "the residual") * finite_norm(preconditioned, "the preconditioned residual");
  if (!(squared >= -rounding))
    throw simulation_error("the preconditioner of a minimal residual solution is not positive definite");
  return 0;
}

}  // namespace

void Minres::run(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<double> x, double size,
                 const KrylovOptions& options, KrylovResult& result) {
  const std::size_t n = x.size();
  current_ = residual_;
  precondition(preconditioner, current_, preconditioned_);
  for (std::vector<double>* vector : {&previous_, &oldest_, &older_, &direction_}) vector->assign(n, 0.0);
  basis_.resize(n);
  next_.resize(n);

  // Lanczos' tridiagonal matrix has alpha on its diagonal and beta beside it. The reflections (cosine, sine) make it
  // upper triangular with gamma on the diagonal, delta and epsilon right of it; names as in the paper.
  double beta = preconditioned_norm(current_, preconditioned_), beta_before = 0;
  double cosine = -1, sine = 0, delta_bar = 0, epsilon = 0, phi_bar = beta, matrix_norm = 0;
  while (result.iterations < options.max_iterations && beta > 0) {
    scale(1 / beta, preconditioned_, basis_);
    matrix(basis_, next_);
    ++result.iterations;
    if (beta_before > 0) add_scaled(-beta / beta_before, previous_, next_);
    const double alpha = dot(basis_, next_);
    add_scaled(-alpha / beta, current_, next_);
    std::swap(previous_, current_);
    std::swap(current_, next_);
    finite_norm(current_, "the preconditioned product");
    precondition(preconditioner, current_, preconditioned_);
    beta_before = beta;
    beta = preconditioned_norm(current_, preconditioned_);
    matrix_norm = std::max(matrix_norm, std::hypot(std::hypot(beta_before, alpha), beta));
    const bool exhausted = beta <= vanishing * matrix_norm;
    if (exhausted) beta = 0;

    const double delta = cosine * delta_bar + sine * alpha, gamma_bar = sine * delta_bar - cosine * alpha;
    const double epsilon_before = epsilon;
    epsilon = sine * beta;
    delta_bar = -cosine * beta;
    const double gamma = std::hypot(gamma_bar, beta);
    if (gamma <= vanishing * matrix_norm) return;  // singular: nothing can be gained along this direction
    cosine = gamma_bar / gamma;
    sine = beta / gamma;
    const double phi = cosine * phi_bar;
    phi_bar *= sine;

    std::swap(oldest_, older_);
    std::swap(older_, direction_);
    for (std::size_t i = 0; i < n; ++i)
      direction_[i] = (basis_[i] - epsilon_before * oldest_[i] - delta * older_[i]) / gamma;
    add_scaled(phi, direction_, x);

    const double along = exhausted ? 0 : phi_bar * cosine / beta;
    for (std::size_t i = 0; i < n; ++i) residual_[i] = sine * sine * residual_[i] - along * current_[i];
    result.relative_residual = finite_norm(residual_, "the residual") / size;
    if (result.relative_residual <= options.tolerance) return;
  }
}

KrylovResult Minres::solve(const LinearOperator& matrix, const LinearOperator& preconditioner,
                           std::span<const double> b, std::span<double> x, const KrylovOptions& options) {
  return solve_in_runs(matrix, b, x, options, residual_, [&](double size, KrylovResult& result) {
    run(matrix, preconditioner, x, size, options, result);
    return true;
  });
}

}  // namespace sinew
