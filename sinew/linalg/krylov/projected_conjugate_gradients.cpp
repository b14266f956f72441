#include "sinew/linalg/krylov/projected_conjugate_gradients.h"

#include <algorithm>
#include <cstddef>

#include "sinew/base/error.h"
#include "sinew/linalg/krylov/krylov_checks.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {

KrylovResult ProjectedConjugateGradients::solve(const LinearOperator& matrix, const LinearOperator& preconditioner,
                                                const LinearOperator& projection, std::span<const double> b,
                                                std::span<double> x, const KrylovOptions& options) {
  check_krylov_call(b, x, options);
  finite_norm(b, "the right-hand side");
  for (std::vector<double>* vector : {&projected_, &direction_, &product_}) vector->resize(b.size());
  projection(b, projected_);
  const double load = finite_norm(projected_, "the projected right-hand side");
  compute_residual(matrix, b, x, product_);
  residual_.resize(b.size());
  projection(product_, residual_);
  const double start = finite_norm(residual_, "the projected residual");
  const double scale = std::max(load, start);
  if (scale == 0) return {0, 0, true};

  KrylovResult result;
  double previous = 0;
  for (;; ++result.iterations) {
    result.relative_residual = finite_norm(residual_, "the projected residual") / scale;
    result.converged = result.relative_residual <= options.tolerance;
    if (result.converged || result.iterations >= options.max_iterations) return result;
    precondition(preconditioner, residual_, preconditioned_);
    projection(preconditioned_, projected_);
    const double energy = dot(residual_, projected_);
    if (!(energy > 0))
      throw simulation_error(
          "the preconditioner of a projected conjugate gradient solution is not positive definite where it may move");
    const double ratio = result.iterations == 0 ? 0 : energy / previous;
    for (std::size_t i = 0; i < b.size(); ++i)
      direction_[i] = ratio == 0 ? projected_[i] : projected_[i] + ratio * direction_[i];
    previous = energy;
    matrix(direction_, product_);
    const double curvature = dot(direction_, product_);
    if (!(curvature > 0))
      throw simulation_error(
          "the matrix of a projected conjugate gradient solution is not positive definite where it may move");
    add_scaled(energy / curvature, direction_, x);
    projection(product_, projected_);
    add_scaled(-energy / curvature, projected_, residual_);
  }
}

}  // namespace sinew
