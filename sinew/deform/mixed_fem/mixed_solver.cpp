#include "sinew/deform/mixed_fem/mixed_solver.h"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/deform/mixed_fem/condensed_matrix.h"
#include "sinew/deform/mixed_fem/mixed_elements.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void move(std::vector<Vec3>& positions, const FreeVertices& free, std::span<const double> step, double share) {
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    positions[static_cast<std::size_t>(free.vertex[f])] += share * Vec3{step[3 * f], step[3 * f + 1], step[3 * f + 2]};
}

}  // namespace

struct MixedSolver::Workspace {
  bool poisson = false;
  ScalarCholesky poisson_factor;
  BlockMatrix matrix;
  BlockCholesky factor;
  MaterialResponse response;
  std::vector<Mandel> rest_stretch;
  std::vector<double> step;
};

MixedSolver::MixedSolver(std::shared_ptr<const MixedBody> body, const MixedSolverOptions& options)
    : body_(std::move(body)), options_(options), workspace_(std::make_unique<Workspace>()) {
  Workspace& work = *workspace_;
  work.rest_stretch.assign(body_->samples.size(), Mandel::identity());
  work.poisson = condenses_to_poisson(*body_);
  work.step.resize(3 * body_->free.vertex.size());
  if (work.poisson) {
    work.poisson_factor.factor(poisson_matrix(*body_));
  } else {
    work.matrix = condensed_pattern(*body_);
    work.factor.analyze(work.matrix);
    material_response(*body_, work.rest_stretch, work.response);
  }
}

MixedSolver::~MixedSolver() = default;

void MixedSolver::factor_condensed(std::span<const Mat3> rotations) {
  assemble_condensed(*body_, rotations, workspace_->response.hessian, workspace_->matrix);
  workspace_->factor.factor(workspace_->matrix);
}

// With the exact Hessian, where it is wanted and makes a positive definite matrix; else with positive curvatures.
void MixedSolver::factor_newton(std::span<const Mat3> rotations, bool exact) {
  if (exact) {
    try {
      factor_condensed(rotations);
      return;
    } catch (const Error&) {  // not positive definite
    }
  }
  make_curvature_positive(*body_, workspace_->response.hessian);
  factor_condensed(rotations);
}

// Halves the step until the condensed energy falls by a share of what its slope promises, and takes it.
void MixedSolver::take_shortened_step(const MixedLoad& load, std::span<const double> residual,
                                      std::span<const double> step, std::vector<Vec3>& positions) const {
  constexpr double sufficient = 1e-4, rounding = 1e-12;
  const double here = condensed_energy(*body_, load, positions), slope = inner(residual, step);
  double share = 1;
  for (int halving = 0; halving < 40; ++halving, share /= 2) {
    std::vector<Vec3> next = positions;
    move(next, body_->free, step, share);
    const double there = condensed_energy(*body_, load, next);
    if (there <= here - sufficient * share * slope + rounding * (std::abs(here) + std::abs(there))) {
      positions = std::move(next);
      return;
    }
  }
  throw simulation_error(
      "the body found no equilibrium: no step lowers its energy; use a linear material or a milder pose.");
}

MixedStatistics MixedSolver::solve_quadratic(const MixedLoad& load, std::vector<Vec3>& positions) {
  Workspace& work = *workspace_;
  const std::vector<double> residual = residual_forces(
      *body_, load, positions,
      work.poisson ? poisson_stresses(*body_, load.rotations, positions)
                   : linearized_stresses(*body_, load.rotations, positions, work.rest_stretch, work.response));
  if (inner(residual, residual) == 0) return {};
  if (work.poisson) {
    work.poisson_factor.solve(residual, work.step, 3);
  } else {
    factor_condensed(load.rotations);
    work.factor.solve(residual, work.step);
  }
  move(positions, body_->free, work.step, 1);
  return {1, 0};
}

MixedStatistics MixedSolver::solve_newton(const MixedLoad& load, std::vector<Vec3>& positions) {
  // Near the solution exact Hessians converge quadratically; far from it positive curvatures go further downhill.
  constexpr double near = 1e-2;
  Workspace& work = *workspace_;
  std::vector<Mandel> stretches = work.rest_stretch;
  MixedStatistics statistics;
  double scale = 0;
  for (;; ++statistics.solves) {
    material_response(*body_, stretches, work.response);
    const std::vector<double> residual = residual_forces(
        *body_, load, positions, linearized_stresses(*body_, load.rotations, positions, stretches, work.response));
    const double left = std::sqrt(inner(residual, residual));
    if (scale == 0) scale = left;
    statistics.residual = left == 0 ? 0 : left / scale;
    // In the beginning S = I need not be the stretch of the positions, and the residual says nothing about theirs.
    const bool compatible = statistics.solves > 0 || recover_stretches(*body_, load.rotations, positions) == stretches;
    if (compatible && statistics.residual <= options_.tolerance) return statistics;
    if (!std::isfinite(left) || statistics.solves == options_.max_solves)
      throw simulation_error("the body found no equilibrium in " + std::to_string(statistics.solves) +
                             " solves; use a linear material, a milder pose or more solves.");

    factor_newton(load.rotations, statistics.residual <= near);
    work.factor.solve(residual, work.step);
    if (statistics.solves == 0)
      move(positions, body_->free, work.step, 1);
    else
      take_shortened_step(load, residual, work.step, positions);
    stretches = recover_stretches(*body_, load.rotations, positions);
  }
}

MixedStatistics MixedSolver::solve(const MixedLoad& load, std::vector<Vec3>& positions) {
  check_load(*body_, load);
  positions = start_positions(*body_, load);
  const MixedStatistics statistics =
      body_->energy.quadratic ? solve_quadratic(load, positions) : solve_newton(load, positions);
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (!is_finite(positions[v]))
      throw simulation_error("vertex " + std::to_string(v) +
                             " of the body has left the range of numbers; check the pose and the forces.");
  return statistics;
}

}  // namespace sinew
