#include "sinew/deform/mixed/mixed_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_workspace.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t mixed_solver_vertex_grain = 256;

// Limit of conjugate gradient iterations in one solve; beyond it a factorisation costs less.
constexpr int most_iterations = 300;

// Relative residual of the first solve of Newton's method, which does not know the material's nonlinearity yet.
constexpr double first_tolerance = 1e-2;

// Relative residual of later linear solves: as accurate as the decrease of the nonlinear residual warrants (Eisenstat
// and Walker 1996, choice 2), and no more than the final tolerance needs.
double step_tolerance(const MixedStatistics& now, double before, double wanted) {
  if (now.solves == 0) return first_tolerance;
  const double fall = before > 0 ? now.residual / before : 1;
  return std::clamp(0.9 * fall * fall, std::min(0.1, 0.3 * wanted / now.residual), 0.1);
}

void move(std::vector<Vec3>& positions, const FreeVertices& free, std::span<const double> step, double share) {
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    positions[static_cast<std::size_t>(free.vertex[f])] += share * Vec3{step[3 * f], step[3 * f + 1], step[3 * f + 2]};
}

// Upper bound of the rounding error of the condensed energy, joules. Near rest the energy is a small difference of
// terms of the size of the moduli, and smaller changes are not significant.
double rounding_of_energy(const MixedBody& body) {
  constexpr double roundings = 64;
  double sum = 0;
  for (std::size_t s = 0; s < body.samples.size(); ++s)
    sum += body.samples.volume[s] * (body.samples.shear[s] + std::abs(body.samples.lambda[s]));
  return roundings * std::numeric_limits<double>::epsilon() * sum;
}

// Length of the residual caused by rounding of positions and stresses in equilibrium, newtons; the scale for poses
// close to the rest pose.
double rounding_of_forces(const MixedBody& body, std::span<const Vec3> positions) {
  constexpr double roundings = 16;
  double farthest = 0;
  for (const Vec3& x : positions) farthest = std::max(farthest, squared_norm(x));
  farthest = std::sqrt(farthest);
  const StrainSamples& samples = body.samples;
  double squares = 0;
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
      const double gradient = norm(samples.gradient[static_cast<std::size_t>(k)]);
      const double force = (2 * samples.shear[s] + std::abs(samples.lambda[s])) * samples.volume[s] * gradient;
      squares += force * force * (1 + gradient * farthest) * (1 + gradient * farthest);
    }
  return roundings * std::numeric_limits<double>::epsilon() * std::sqrt(squares);
}

}  // namespace

void check_positions(std::span<const Vec3> positions) {
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (!is_finite(positions[v]))
      throw simulation_error("vertex " + std::to_string(v) +
                             " of the body has left the range of numbers; check the pose and the forces.");
}

MixedSolver::MixedSolver(std::shared_ptr<const MixedBody> body, const MixedSolverOptions& options)
    : body_(std::move(body)), options_(options), workspace_(std::make_unique<Workspace>()) {
  Workspace& work = *workspace_;
  const StrainSamples& samples = body_->samples;
  work.rest_stretch.assign(samples.size(), Mandel::identity());
  work.step.resize(3 * body_->free.vertex.size());
  work.volume_modulus = volume_moduli(*body_);
  work.poisson = condenses_to_poisson(*body_);
  // Without resistance to skew the condensed matrix is bounded by Poisson's from above only.
  constexpr double least_skew_share = 0.05;
  bool resists_skew = true;
  for (std::size_t s = 0; s < samples.size(); ++s)
    resists_skew = resists_skew && body_->skew_modulus[s] >= least_skew_share * samples.shear[s];
  work.preconditioned = work.poisson || (options_.linear_solver == MixedLinearSolver::iterative && resists_skew);
  if (!work.preconditioned) return;
  work.poisson_matrix = poisson_matrix(*body_, work.volume_modulus ? body_->skew_modulus : samples.shear);
  if (!work.poisson) work.preconditioner.factor(work.poisson_matrix, FactorPrecision::single_precision);
  if (!work.volume_modulus) return;
  work.poisson_factor.factor(work.poisson_matrix);
  work.poisson_forces = poisson_forces(*body_, body_->skew_modulus);
  if (!work.poisson) work.volume = volume_rows(*body_, *work.volume_modulus);
}

MixedSolver::~MixedSolver() = default;

// The solution of the Poisson problem, and from there conjugate gradients for the volume part.
void MixedSolver::solve_poisson_and_volume(const MixedLoad& load, double tolerance, std::vector<Vec3>& positions,
                                           MixedStatistics& statistics) {
  Workspace& work = *workspace_;
  const MixedBody& body = *body_;
  std::vector<double>& residual = work.residual;
  find_forces_at_start(work.poisson_forces, body, load, residual);
  if (dot(residual, residual) > 0) {
    work.poisson_factor.solve(residual, work.step, 3);
    move(positions, body.free, work.step, 1);
    statistics.solves = 1;
  }
  if (work.volume.rows() == 0) return;

  // Only the stresses of the volume part are out of balance now.
  work.tension.resize(work.volume.rows());
  find_tensions(body, work.volume, load.rotations, positions, work.tension);
  turn_volume_rows(body, load.rotations, work.volume);
  std::fill(residual.begin(), residual.end(), 0.0);
  parallel_chunks(body.free.vertex.size(), mixed_solver_vertex_grain, [&](std::size_t begin, std::size_t end) {
    add_volume_forces(work.volume, work.tension, begin, end, residual);
  });
  scale(-1, residual, residual);
  const double start = std::sqrt(dot(residual, residual));
  if (start == 0) {
    work.last_tension.clear();
    return;
  }
  statistics.solves = 1;
  if (!options_.start_from_last_pose) work.last_tension.clear();
  // The recurrences of the iterations and the single precision of D give about six digits; for more, the iterations are
  // restarted from the residual as long as it decreases.
  constexpr double recurrence = 1e-5;
  for (double left = start;;) {
    const double wanted = tolerance * start / left;
    const KrylovResult result =
        work.volume_gradients.solve(work.volume, work.poisson_matrix, work.preconditioner, residual, work.last_tension,
                                    work.step, std::max(wanted, recurrence), most_iterations);
    statistics.iterations += result.iterations;
    if (!result.converged)
      throw simulation_error("the body found no equilibrium in " + std::to_string(result.iterations) +
                             " iterations; use the direct solver or a smaller Poisson's ratio.");
    move(positions, body.free, work.step, 1);
    statistics.residual = result.relative_residual * left / start;
    work.last_tension.clear();
    if (wanted >= recurrence) break;
    const double before = left;
    residual = residual_forces(body, load, positions,
                               poisson_volume_stresses(body, load.rotations, positions, *work.volume_modulus));
    left = std::sqrt(dot(residual, residual));
    statistics.residual = left / start;
    if (left <= tolerance * start || left > 0.5 * before) break;
  }
  if (options_.start_from_last_pose) {
    work.last_tension.resize(work.volume.rows());
    find_tensions(body, work.volume, load.rotations, positions, work.last_tension);
  }
}

void MixedSolver::forget_last_pose() { workspace_->last_tension.clear(); }

// step = A^-1 residual with the Hessians of the response: to a relative residual of `tolerance`, or factored.
void MixedSolver::solve_condensed(std::span<const Mat3> rotations, std::span<const double> residual, double tolerance,
                                  MixedStatistics& statistics) {
  Workspace& work = *workspace_;
  if (work.matrix.rows == 0) work.matrix = condensed_pattern(*body_);
  assemble_condensed(*body_, rotations, work.response.hessian, work.matrix);
  if (work.preconditioned) {
    std::fill(work.step.begin(), work.step.end(), 0.0);
    const KrylovResult result = work.gradients.solve(
        [&](std::span<const double> from, std::span<double> to) { multiply(work.matrix, from, to); },
        [&](std::span<const double> from, std::span<double> to) { work.preconditioner.solve(from, to, 3); }, residual,
        work.step, {tolerance, most_iterations});
    statistics.iterations += result.iterations;
    if (result.converged) return;
  }
  work.factor_matrix();
  work.factor.solve(residual, work.step);
}

// With the Hessians of the response, raised where they make no positive definite matrix.
void MixedSolver::factor_condensed(std::span<const Mat3> rotations) {
  Workspace& work = *workspace_;
  if (work.matrix.rows == 0) work.matrix = condensed_pattern(*body_);
  assemble_condensed(*body_, rotations, work.response.hessian, work.matrix);
  try {
    work.factor_matrix();
  } catch (const Error&) {
    make_curvature_positive(*body_, work.response.hessian);
    assemble_condensed(*body_, rotations, work.response.hessian, work.matrix);
    work.factor_matrix();
  }
}

// The forces that springs, loads and elements leave on the free vertices.
std::vector<double> MixedSolver::left_over_forces(const MixedLoad& load, std::span<const Vec3> positions) {
  Workspace& work = *workspace_;
  const std::vector<Mandel> stretches =
      body_->energy.quadratic ? work.rest_stretch : recover_stretches(*body_, load.rotations, positions);
  material_response(*body_, stretches, work.response);
  return residual_forces(*body_, load, positions,
                         linearized_stresses(*body_, load.rotations, positions, stretches, work.response));
}

// Uses the exact Hessian if it is wanted and the matrix is positive definite, else positive curvatures.
void MixedSolver::solve_newton_step(std::span<const Mat3> rotations, std::span<const double> residual, double tolerance,
                                    bool exact, MixedStatistics& statistics) {
  if (exact) {
    try {
      solve_condensed(rotations, residual, tolerance, statistics);
      return;
    } catch (const Error&) {  // not positive definite
    }
  }
  make_curvature_positive(*body_, workspace_->response.hessian);
  solve_condensed(rotations, residual, tolerance, statistics);
}

// Halves the step until the condensed energy falls by a share of what its slope promises, and takes it.
void MixedSolver::take_shortened_step(const MixedLoad& load, std::span<const double> residual,
                                      std::span<const double> step, std::vector<Vec3>& positions) const {
  constexpr double sufficient = 1e-4, rounding = 1e-12;
  const double here = condensed_energy(*body_, load, positions), slope = dot(residual, step);
  const double unsure = rounding_of_energy(*body_) + 2 * rounding * std::abs(here);
  double share = 1;
  for (int halving = 0; halving < 40; ++halving, share /= 2) {
    std::vector<Vec3> next = positions;
    move(next, body_->free, step, share);
    const double there = condensed_energy(*body_, load, next);
    if (there <= here - sufficient * share * slope + unsure) {
      positions = std::move(next);
      return;
    }
  }
  throw simulation_error(
      "the body found no equilibrium: no step lowers its energy; use a linear material or a milder pose.");
}

MixedStatistics MixedSolver::solve_quadratic(const MixedLoad& load, std::vector<Vec3>& positions) {
  Workspace& work = *workspace_;
  MixedStatistics statistics;
  if (work.preconditioned && work.volume_modulus) {
    solve_poisson_and_volume(load, options_.linear_tolerance, positions, statistics);
    return statistics;
  }
  material_response(*body_, work.rest_stretch, work.response);
  const std::vector<double> residual =
      residual_forces(*body_, load, positions,
                      linearized_stresses(*body_, load.rotations, positions, work.rest_stretch, work.response));
  if (dot(residual, residual) == 0) return statistics;
  statistics.solves = 1;
  solve_condensed(load.rotations, residual, options_.linear_tolerance, statistics);
  move(positions, body_->free, work.step, 1);
  return statistics;
}

MixedStatistics MixedSolver::solve_newton(const MixedLoad& load, std::vector<Vec3>& positions) {
  // Near the solution exact Hessians converge quadratically; far from it positive curvatures go further downhill.
  constexpr double near = 1e-2;
  Workspace& work = *workspace_;
  std::vector<Mandel> stretches = work.rest_stretch;
  MixedStatistics statistics;
  double scale = 0, before = 0;
  for (;; ++statistics.solves) {
    material_response(*body_, stretches, work.response);
    const std::vector<double> residual = residual_forces(
        *body_, load, positions, linearized_stresses(*body_, load.rotations, positions, stretches, work.response));
    const double left = std::sqrt(dot(residual, residual));
    if (scale == 0) scale = left;
    statistics.residual = left == 0 ? 0 : left / scale;
    // In the first step S = I is not the stretch of the positions, and the residual says nothing about theirs.
    const bool compatible = statistics.solves > 0 || recover_stretches(*body_, load.rotations, positions) == stretches;
    if (compatible && left <= std::max(options_.tolerance * scale, rounding_of_forces(*body_, positions)))
      return statistics;
    if (!std::isfinite(left) || statistics.solves == options_.max_solves)
      throw simulation_error("the body found no equilibrium in " + std::to_string(statistics.solves) +
                             " solves; use a linear material, a milder pose or more solves.");

    if (statistics.solves == 0 && work.preconditioned && work.volume_modulus) {
      MixedStatistics first;
      solve_poisson_and_volume(load, first_tolerance, positions, first);
      statistics.iterations += first.iterations;
    } else {
      solve_newton_step(load.rotations, residual, step_tolerance(statistics, before, options_.tolerance),
                        statistics.residual <= near, statistics);
      if (statistics.solves == 0)
        move(positions, body_->free, work.step, 1);
      else
        take_shortened_step(load, residual, work.step, positions);
    }
    before = statistics.residual;
    stretches = recover_stretches(*body_, load.rotations, positions);
  }
}

MixedStatistics MixedSolver::solve(const MixedLoad& load, std::vector<Vec3>& positions) {
  check_load(*body_, load);
  positions = start_positions(*body_, load);
  const MixedStatistics statistics =
      body_->energy.quadratic ? solve_quadratic(load, positions) : solve_newton(load, positions);
  check_positions(positions);
  return statistics;
}

}  // namespace sinew
