#include "sinew/deform/lattice/solver/lattice_solver.h"

#include <algorithm>

#include "sinew/deform/lattice/solver/held_by_multipliers.h"

namespace sinew {

KrylovResult LatticeSolver::solve(const LatticeSystem& system, std::span<const double> b, std::span<double> x,
                                  const KrylovOptions& options) {
  std::fill(x.begin(), x.end(), 0.0);
  return system.symmetric ? conjugate_gradients_.solve(system.matrix, system.approximate_inverse, b, x, options)
                          : bicgstab_.solve(system.matrix, system.approximate_inverse, b, x, options);
}

KrylovResult LatticeSolver::solve(const LatticeSystem& system, const HeldPoints& held, std::span<const double> b,
                                  std::span<double> x, const KrylovOptions& options) {
  if (held.empty()) return solve(system, b, x, options);
  if (held_by_ == HeldBy::multipliers && held.rows().rows() > 0) {
    const KrylovResult solved = solve_by_multipliers(system.matrix, system.approximate_inverse, held, b, x, options);
    if (solved.converged) return solved;  // else points are nearly dependent, which the subspace handles
  }
  if (system.symmetric) {
    std::fill(x.begin(), x.end(), 0.0);
    return projected_.solve(system.matrix, system.approximate_inverse, held.linear().projection(), b, x, options);
  }
  const auto within = [&held](const LinearOperator& apply) -> LinearOperator {
    return [&](std::span<const double> from, std::span<double> to) {
      apply(from, to);
      held.project(to);
    };
  };
  return solve({within(system.matrix), within(system.approximate_inverse), false}, b, x, options);
}

}  // namespace sinew
