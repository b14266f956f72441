#include "sinew/linalg/krylov/krylov.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/linalg/krylov/krylov_checks.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

using std::size_t;

// A direction that orthogonalisation leaves less than this of is orthogonalised once more, since the first
// pass left its rounding errors that much larger.
constexpr double cancellation = 1e-3;

}  // namespace

KrylovResult Gmres::solve(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<const double> b,
                          std::span<double> x, const KrylovOptions& options) {
  check_krylov_call(b, x, options);
  const double size = finite_norm(b, "the right-hand side");
  if (size == 0) {
    std::fill(x.begin(), x.end(), 0.0);
    return {0, 0, true};
  }
  const size_t restart = static_cast<size_t>(options.restart);
  const auto column_begin = [](size_t j) { return j * (j + 3) / 2; };  // columns of 2, 3, 4, ... entries
  hessenberg_.resize(column_begin(restart));
  cosine_.resize(restart);
  sine_.resize(restart);
  rhs_.resize(restart + 1);
  const auto vector_at = [&](std::vector<std::vector<double>>& vectors, size_t j) -> std::vector<double>& {
    if (vectors.size() <= j) vectors.resize(j + 1);
    vectors[j].resize(b.size());
    return vectors[j];
  };

  KrylovResult result;
  for (bool from_zero = std::all_of(x.begin(), x.end(), [](double v) { return v == 0; });; from_zero = false) {
    if (!from_zero) compute_residual(matrix, b, x, residual_);
    const std::span<const double> residual = from_zero ? b : residual_;
    const double start = from_zero ? size : finite_norm(residual, "the residual");
    result.relative_residual = start / size;
    result.converged = result.relative_residual <= options.tolerance;
    if (result.converged || result.iterations >= options.max_iterations) return result;

    std::vector<double>& first = vector_at(basis_, 0);
    scale(1 / start, residual, first);
    rhs_[0] = start;
    size_t used = 0;
    bool exhausted = false;  // the subspace is invariant: the solution in it is exact
    while (used < restart && result.iterations < options.max_iterations && !result.converged && !exhausted) {
      const size_t j = used++;
      ++result.iterations;
      std::vector<double>& direction = vector_at(directions_, j);
      precondition(preconditioner, basis_[j], direction);
      std::vector<double>& next = vector_at(basis_, j + 1);
      matrix(direction, next);

      // Orthogonalisation, then the rotations that keep the Hessenberg matrix triangular.
      double* h = hessenberg_.data() + column_begin(j);
      const std::span known(basis_.data(), j + 1);
      double squared = orthogonalize(known, next, {h, j + 1}, partial_);
      if (!std::isfinite(squared)) finite_norm(next, "the preconditioned product");
      double along = 0;
      for (size_t i = 0; i <= j; ++i) along += h[i] * h[i];
      const double length_before = std::sqrt(along + squared);
      if (std::sqrt(squared) <= cancellation * length_before) {
        again_.resize(j + 1);
        squared = orthogonalize(known, next, again_, partial_);
        for (size_t i = 0; i <= j; ++i) h[i] += again_[i];
      }
      const double length = std::sqrt(squared);
      exhausted = length <= 1e-14 * length_before;
      if (!exhausted) scale(1 / length, next, next);
      for (size_t i = 0; i < j; ++i) {
        const double above = h[i];
        h[i] = cosine_[i] * above + sine_[i] * h[i + 1];
        h[i + 1] = cosine_[i] * h[i + 1] - sine_[i] * above;
      }
      const double diagonal = std::hypot(h[j], length);
      if (diagonal == 0) {  // A M^-1 maps this direction to zero: nothing can be gained along it
        --used;
        break;
      }
      cosine_[j] = h[j] / diagonal;
      sine_[j] = length / diagonal;
      h[j] = diagonal;
      rhs_[j + 1] = -sine_[j] * rhs_[j];
      rhs_[j] *= cosine_[j];
      result.relative_residual = std::abs(rhs_[j + 1]) / size;
      result.converged = result.relative_residual <= options.tolerance;
    }

    for (size_t j = used; j-- > 0;) {
      rhs_[j] /= hessenberg_[column_begin(j) + j];
      for (size_t i = 0; i < j; ++i) rhs_[i] -= hessenberg_[column_begin(j) + i] * rhs_[j];
    }
    add_combination(std::span(rhs_).first(used), std::span(directions_).first(used), x);
    if (result.converged || result.iterations >= options.max_iterations || used == 0 || (exhausted && used < restart))
      return result;
  }
}

KrylovResult ConjugateGradients::solve(const LinearOperator& matrix, const LinearOperator& preconditioner,
                                       std::span<const double> b, std::span<double> x, const KrylovOptions& options) {
  check_krylov_call(b, x, options);
  const double scale = finite_norm(b, "the right-hand side");
  if (scale == 0) {
    std::fill(x.begin(), x.end(), 0.0);
    return {0, 0, true};
  }
  for (std::vector<double>* vector : {&preconditioned_, &direction_, &product_}) vector->resize(b.size());
  compute_residual(matrix, b, x, residual_);

  KrylovResult result;
  double previous = 0;
  for (;; ++result.iterations) {
    result.relative_residual = finite_norm(residual_, "the residual") / scale;
    result.converged = result.relative_residual <= options.tolerance;
    if (result.converged || result.iterations >= options.max_iterations) return result;
    precondition(preconditioner, residual_, preconditioned_);
    const double energy = dot(residual_, preconditioned_);
    if (!(energy > 0))
      throw simulation_error("the preconditioner of a conjugate gradient solution is not positive definite");
    const double ratio = result.iterations == 0 ? 0 : energy / previous;
    for (size_t i = 0; i < b.size(); ++i)
      direction_[i] = ratio == 0 ? preconditioned_[i] : preconditioned_[i] + ratio * direction_[i];
    previous = energy;
    matrix(direction_, product_);
    const double curvature = dot(direction_, product_);
    if (!(curvature > 0))
      throw simulation_error("the matrix of a conjugate gradient solution is not positive definite");
    add_scaled(energy / curvature, direction_, x);
    add_scaled(-energy / curvature, product_, residual_);
  }
}

}  // namespace sinew
