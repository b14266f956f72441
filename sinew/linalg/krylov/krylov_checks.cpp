#include "sinew/linalg/krylov/krylov_checks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {

double finite_norm(std::span<const double> a, const char* what) {
  const double squared = dot(a, a);
  if (!std::isfinite(squared))
    throw simulation_error(std::string("the iterative solution of a linear system failed: ") + what +
                           " holds a number that is not finite");
  return std::sqrt(squared);
}

void check_krylov_call(std::span<const double> b, std::span<const double> x, const KrylovOptions& options) {
  if (b.size() != x.size())
    throw usage_error("the solution of a linear system needs room for " + std::to_string(b.size()) + " numbers, not " +
                      std::to_string(x.size()));
  if (options.restart < 1 || options.max_iterations < 0 || !(options.tolerance >= 0))
    throw usage_error("an iterative solver needs a positive restart length and no negative limits");
}

void compute_residual(const LinearOperator& matrix, std::span<const double> b, std::span<const double> x,
                      std::vector<double>& residual) {
  residual.assign(b.begin(), b.end());
  if (std::all_of(x.begin(), x.end(), [](double value) { return value == 0; })) return;
  matrix(x, residual);
  for (std::size_t i = 0; i < b.size(); ++i) residual[i] = b[i] - residual[i];
}

KrylovResult solve_in_runs(const LinearOperator& matrix, std::span<const double> b, std::span<double> x,
                           const KrylovOptions& options, std::vector<double>& residual,
                           const std::function<bool(double size_of_b, KrylovResult& result)>& run) {
  check_krylov_call(b, x, options);
  const double size = finite_norm(b, "the right-hand side");
  if (size == 0) {
    std::fill(x.begin(), x.end(), 0.0);
    return {0, 0, true};
  }
  KrylovResult result;
  double before = 0;  // relative residual that the last run began with
  for (bool first = true;; first = false) {
    compute_residual(matrix, b, x, residual);
    result.relative_residual = finite_norm(residual, "the residual") / size;
    result.converged = result.relative_residual <= options.tolerance;
    if (result.converged || result.iterations >= options.max_iterations) return result;
    // A run without progress would make none if repeated.
    if (!first && !(result.relative_residual < 0.9 * before)) return result;
    before = result.relative_residual;
    if (!run(size, result)) return result;
  }
}

void precondition(const LinearOperator& preconditioner, std::span<const double> from, std::vector<double>& to) {
  if (preconditioner) {
    to.resize(from.size());
    preconditioner(from, to);
  } else {
    to.assign(from.begin(), from.end());
  }
}

}  // namespace sinew
