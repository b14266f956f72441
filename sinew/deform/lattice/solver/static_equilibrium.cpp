#include "sinew/deform/lattice/solver/static_equilibrium.h"

#include <cmath>
#include <vector>

#include "sinew/deform/lattice/solver/lattice_solver.h"
#include "sinew/deform/lattice/solver/newton_step.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr double tolerance = 1e-6;  // products are in single precision
constexpr int most_iterations = 2000, most_static_newton_iterations = 60;

}  // namespace

StepStatistics find_equilibrium(LatticeEquations& equations, LatticePreconditioner& static_inverse,
                                const ActiveFunctions& active, const LatticePose& pose, double time,
                                std::span<Vec3> position) {
  LatticeElasticity& elasticity = equations.elasticity();
  elasticity.set_pose(pose, position);
  std::vector<double> residual(3 * active.unknowns()), solution(residual.size());
  const auto take_residual = [&] {
    equations.static_residual(pose, position, residual);
    return std::sqrt(dot(residual, residual));
  };
  const auto energy = [&] { return equations.potential_energy(pose, position); };

  StepStatistics statistics;
  const double first = take_residual();
  if (!(first > equations.least_residual())) return statistics;
  static_inverse.set_pose(pose);
  const LatticeSystem system{
      [&](std::span<const double> from, std::span<double> to) { equations.apply_static(from, to); },
      [&](std::span<const double> from, std::span<double> to) { static_inverse.apply(from, to); },
      elasticity.symmetric()};
  LatticeSolver solver;
  KrylovOptions options;
  options.tolerance = tolerance;
  options.max_iterations = most_iterations;
  double left = first;
  for (int iteration = 0; iteration < most_static_newton_iterations && left > tolerance * first; ++iteration) {
    const KrylovResult solved = solver.solve(system, residual, solution, options);
    statistics.iterations += solved.iterations;
    statistics.residual = solved.relative_residual;
    require_finite(active, solution, time);
    if (!elasticity.nonlinear()) {
      add_unknowns(active, 1, solution, position);
      break;
    }
    // The line search uses the energy, which is minimal in equilibrium; a definite matrix gives directions along which
    // it falls.
    go_along(active, solution, energy(), energy, position);
    left = take_residual();
    elasticity.linearize(position);
  }
  return statistics;
}

}  // namespace sinew
