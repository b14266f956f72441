#include "sinew/linalg/krylov/bicgstab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/linalg/krylov/krylov_checks.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

// Cosine between vectors below which a quotient by their product is noise.
constexpr double breakdown = 1e-14;

// Minimal-residual steps along t lose s, and with it the recurrence, where the two are nearly orthogonal; such steps
// are lengthened (Sleijpen and van der Vorst 1995).
constexpr double least_cosine = 0.7;

double stabilizing_step(double t_dot_s, double t_norm, double s_norm) {
  const double cosine = t_dot_s / (t_norm * s_norm);
  if (std::abs(cosine) >= least_cosine) return t_dot_s / (t_norm * t_norm);
  return std::copysign(least_cosine, cosine) * s_norm / t_norm;
}

}  // namespace

bool BiCgStab::run(const LinearOperator& matrix, const LinearOperator& preconditioner, std::span<double> x, double size,
                   const KrylovOptions& options, KrylovResult& result) {
  const std::size_t n = x.size();
  const double start = result.relative_residual * size;
  double best = start, residual_norm = start;
  best_.assign(x.begin(), x.end());
  shadow_ = residual_;
  direction_ = residual_;
  double rho = start * start, shadow_norm = start;
  const auto keep_best = [&] {
    if (residual_norm < best) {
      best = residual_norm;
      best_.assign(x.begin(), x.end());
    }
    return best <= options.tolerance * size;
  };
  for (bool first = true;; first = false) {
    if (result.iterations >= options.max_iterations) break;
    precondition(preconditioner, direction_, preconditioned_);
    image_.resize(n);
    matrix(preconditioned_, image_);
    ++result.iterations;
    const double image_norm = finite_norm(image_, "the preconditioned product");
    double along = dot(shadow_, image_);
    if (std::abs(along) <= breakdown * shadow_norm * image_norm) {
      if (!first || image_norm == 0) break;
      // The operator rotates the residual by a right angle, as skew matrices do: use another shadow vector.
      for (std::size_t i = 0; i < n; ++i) shadow_[i] = residual_[i] / residual_norm + image_[i] / image_norm;
      shadow_norm = finite_norm(shadow_, "the residual");
      rho = dot(shadow_, residual_);
      along = dot(shadow_, image_);
    }
    const double alpha = rho / along;
    add_scaled(alpha, preconditioned_, x);
    add_scaled(-alpha, image_, residual_);  // s
    residual_norm = finite_norm(residual_, "the residual");
    if (keep_best() || result.iterations >= options.max_iterations) break;

    precondition(preconditioner, residual_, preconditioned_);
    stabilized_.resize(n);
    matrix(preconditioned_, stabilized_);
    ++result.iterations;
    const double t_norm = finite_norm(stabilized_, "the preconditioned product");
    if (t_norm == 0) break;
    const double omega = stabilizing_step(dot(stabilized_, residual_), t_norm, residual_norm);
    add_scaled(omega, preconditioned_, x);
    add_scaled(-omega, stabilized_, residual_);
    residual_norm = finite_norm(residual_, "the residual");
    if (keep_best()) break;

    const double next = dot(shadow_, residual_);
    if (std::abs(next) <= breakdown * shadow_norm * residual_norm) break;
    const double beta = next / rho * (alpha / omega);
    rho = next;
    for (std::size_t i = 0; i < n; ++i) direction_[i] = residual_[i] + beta * (direction_[i] - omega * image_[i]);
  }
  std::copy(best_.begin(), best_.end(), x.begin());
  return best < start;
}

KrylovResult BiCgStab::solve(const LinearOperator& matrix, const LinearOperator& preconditioner,
                             std::span<const double> b, std::span<double> x, const KrylovOptions& options) {
  return solve_in_runs(matrix, b, x, options, residual_, [&](double size, KrylovResult& result) {
    return run(matrix, preconditioner, x, size, options, result);
  });
}

}  // namespace sinew
