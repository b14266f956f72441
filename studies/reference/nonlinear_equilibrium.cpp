#include "studies/reference/nonlinear_equilibrium.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/elastic/free_vertices.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

double length(std::span<const double> a) { return std::sqrt(dot(a, a)); }

bool factors(BlockCholesky& cholesky, const BlockMatrix& matrix) {
  try {
    cholesky.factor(matrix);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    return false;
  }
}

// U - f . q, and the size of its rounding errors. The terms of a rotated body's energy nearly cancel, most of all in
// the quartic polynomial.
struct Value {
  double total, terms;  // terms: sum of the absolute terms of total
  double rounding() const { return 1e-10 * terms; }
};

class Descent {
 public:
  Descent(ElasticPotential& potential, std::span<const Vec3> forces, const FreeVertices& free)
      : potential_(&potential),
        forces_(forces),
        free_(&free),
        gradient_(forces.size()),
        hessian_(potential.hessian_pattern()) {
    const std::vector<Vec3> rest(forces.size());
    rest_ = free_hessian(rest);
    system_ = rest_;
    cholesky_.analyze(rest_);
  }

  Value value(std::span<const Vec3> q) {
    const double energy = potential_->energy(q);
    double work = 0, terms = energy;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double part = dot(forces_[i], q[i]);
      work += part;
      terms += std::abs(part);
    }
    return {energy - work, terms};
  }

  // The descent direction f - dU/dq over the free functions.
  std::vector<double> residual(std::span<const Vec3> q) {
    potential_->gradient(q, gradient_);
    for (std::size_t i = 0; i < q.size(); ++i) gradient_[i] = forces_[i] - gradient_[i];
    return gather(*free_, gradient_);
  }

  // Newton step: (H + shift_ K) step = residual with the smallest shift of a sequence for which the matrix is definite.
  void newton_step(std::span<const Vec3> q, std::span<const double> residual, std::span<double> step) {
    const BlockMatrix exact = free_hessian(q);
    constexpr double first = 1e-3, more = 4, most = 1e6;
    for (shift_ = shift_ > first ? shift_ / more : 0; shift_ < most; shift_ = std::max(first, more * shift_)) {
      for (std::size_t k = 0; k < exact.block.size(); ++k) system_.block[k] = exact.block[k] + rest_.block[k] * shift_;
      ++factorizations;
      if (!factors(cholesky_, system_)) continue;
      cholesky_.solve(residual, step);
      return;
    }
    throw simulation_error(
        "the body found no equilibrium: its stiffness has no definite part; hold functions that keep it in place.");
  }

  int factorizations = 0;

 private:
  BlockMatrix free_hessian(std::span<const Vec3> q) {
    potential_->hessian(q, hessian_);
    return principal_submatrix(hessian_, free_->number, free_->count());
  }

  ElasticPotential* potential_;
  std::span<const Vec3> forces_;
  const FreeVertices* free_;
  std::vector<Vec3> gradient_;
  BlockMatrix hessian_, rest_, system_;
  BlockCholesky cholesky_;
  double shift_ = 0;
};

void check(const ElasticPotential& potential, std::size_t start, std::size_t forces,
           const NonlinearEquilibriumOptions& options) {
  const auto functions = static_cast<std::size_t>(potential.functions());
  if (start != functions || forces != functions)
    throw usage_error("the equilibrium of " + std::to_string(functions) +
                      " functions needs a start and a force for each, not " + std::to_string(start) + " and " +
                      std::to_string(forces) + ".");
  if (!(options.tolerance >= 0) || options.max_iterations < 0)
    throw usage_error("an equilibrium needs a tolerance and a limit of iterations that are not negative.");
}

}  // namespace

NonlinearEquilibrium nonlinear_equilibrium(ElasticPotential& potential, std::span<const Vec3> start,
                                           std::span<const Vec3> forces, std::span<const int> held,
                                           const NonlinearEquilibriumOptions& options) {
  check(potential, start.size(), forces.size(), options);
  const FreeVertices free = free_vertices(start.size(), held);
  Descent descent(potential, forces, free);

  NonlinearEquilibrium result;
  result.q.assign(start.begin(), start.end());
  std::vector<double> residual = descent.residual(result.q), step(residual.size());
  const double load = length(gather(free, forces)), scale = load > 0 ? load : length(residual);
  Value here = descent.value(result.q);
  for (;; ++result.iterations) {
    result.residual = scale == 0 ? 0 : length(residual) / scale;  // NaN stays NaN
    result.factorizations = descent.factorizations;
    if (result.residual <= options.tolerance) return result;
    if (!std::isfinite(result.residual) || result.iterations == options.max_iterations)
      throw simulation_error("the body found no equilibrium in " + std::to_string(result.iterations) +
                             " steps; use stiffer material, smaller forces or more steps.");
    descent.newton_step(result.q, residual, step);

    // Decrease of the potential per unit of step, > 0. If it is lost in rounding, the slope at the end of the step
    // tells whether the step was too long (Hager and Zhang 2005, equation 4.1).
    const double slope = dot(residual, step);
    if (slope <= 1e-15 * here.terms) return result;  // below this there is only rounding
    constexpr double sufficient = 1e-4;
    double share = 1;
    std::vector<Vec3> next;
    Value there{};
    std::vector<double> next_residual;
    for (bool accepted = false; !accepted; share /= 2) {
      if (share < 1e-12)
        throw simulation_error("the body found no equilibrium: step " + std::to_string(result.iterations + 1) +
                               " does not lower its energy; use stiffer material or smaller forces.");
      next = moved_positions(result.q, free, step, share);
      there = descent.value(next);
      const bool falls = there.total <= here.total - sufficient * share * slope;
      if (!falls && !(there.total <= here.total + here.rounding())) continue;
      next_residual = descent.residual(next);
      accepted = falls || -dot(next_residual, step) <= (1 - 2 * sufficient) * slope;
    }
    result.q = std::move(next);
    here = there;
    residual = std::move(next_residual);
  }
}

}  // namespace sinew
