#include "sinew/deform/lattice/solver/lattice_step_solver.h"

#include <algorithm>
#include <cmath>

#include "sinew/deform/lattice/solver/newton_step.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr int most_newton_iterations = 8;

double length(std::span<const double> v) { return std::sqrt(dot(v, v)); }

}  // namespace

LatticeStepSolver::LatticeStepSolver(const LatticeBody& body) : body_(body), solver_(body.run.held_by) {
  if (body.run.nonlinear) nonlinear_.emplace(body);
}

StepStatistics LatticeStepSolver::solve(const StepProblem& step, std::span<Vec3> position) {
  for (std::vector<double>* per_unknown : {&residual_, &solution_, &work_})
    per_unknown->resize(3 * step.moment.active.unknowns());
  statistics_ = {};
  if (nonlinear_)
    statistics_ = nonlinear_->solve(step, position);
  else
    solve_linearized(step, position);
  // The error left by multipliers is corrected in the following steps.
  if (!step.response.held().empty() && body_.run.held_by == HeldBy::subspace) {  // what rounding of the solutions left
    step.response.meet_targets(position, solution_);
    add_unknowns(step.moment.active, 1, solution_, position);
    take_force_of_hands(step, position);
  }
  return statistics_;
}

// Solves for the change of the displacements, so that the tolerance is relative to what the step changes.
void LatticeStepSolver::solve_linearized(const StepProblem& step, std::span<Vec3> position) {
  first_residual_ = take_residual(step, position);
  const bool acted_on = step.response.acts();
  if (!acted_on && !(first_residual_ > step.equations.least_residual())) return;  // what is left is rounding

  step.inverse.set_pose(step.moment.pose);
  go_along_free_flight(step, position);
  if (!step.response.held().empty()) {
    take_to_targets(step, position);
    first_residual_ = std::max(first_residual_, length(residual_));  // a hand may move what is at rest
  }
  solve_linear(step, first_residual_);
  add_unknowns(step.moment.active, 1, solution_, position);
  if (step.equations.elasticity().nonlinear()) iterate_newton(step, position);
  if (step.response.touches()) statistics_.contacts = keep_out_of_obstacles(step, position);
}

// Computes the residual at `position` and returns its length.
double LatticeStepSolver::take_residual(const StepProblem& step, std::span<const Vec3> position) {
  step.equations.step_residual(step.moment, position, residual_);
  add_scaled(1, step.response.force(), residual_);
  step.response.held().project(residual_);
  return length(residual_);
}

// Moves from the last displacement along free flight to the least residual; this product saves about two iterations.
void LatticeStepSolver::go_along_free_flight(const StepProblem& step, std::span<Vec3> position) {
  const ActiveFunctions& active = step.moment.active;
  std::vector<double>& direction = solution_;
  for (std::size_t u = 0; u < active.unknowns(); ++u) {
    const auto f = static_cast<std::size_t>(active.unknown_function[u]);
    const Vec3 flight = free_flight(body_, step.moment.state, f) - position[f];
    for (std::size_t k = 0; k < 3; ++k) direction[3 * u + k] = flight[k];
  }
  step.equations.elasticity().apply_system(direction, work_);
  const double squared = dot(work_, work_);
  const double share = squared > 0 ? dot(work_, residual_) / squared : 0;
  add_scaled(-share, work_, residual_);
  add_unknowns(active, share, direction, position);
}

// Moves held points to their targets by the smallest change, and projects the residual to the remaining subspace.
void LatticeStepSolver::take_to_targets(const StepProblem& step, std::span<Vec3> position) {
  step.response.meet_targets(position, solution_);
  add_unknowns(step.moment.active, 1, solution_, position);
  step.equations.elasticity().apply_system(solution_, work_);
  add_scaled(-1, work_, residual_);
  step.response.held().project(residual_);
}

// Solves for solution_ with right-hand side residual_, to the step's tolerance relative to `scale`, newtons.
void LatticeStepSolver::solve_linear(const StepProblem& step, double scale) {
  LatticeElasticity& elasticity = step.equations.elasticity();
  const LatticeSystem system{
      [&](std::span<const double> from, std::span<double> to) { elasticity.apply_system(from, to); },
      [&](std::span<const double> from, std::span<double> to) { step.inverse.apply(from, to); },
      elasticity.symmetric()};
  const double left = length(residual_);
  KrylovOptions options;
  options.tolerance = left > 0 ? body_.dynamics.tolerance * scale / left : 0;
  options.max_iterations = body_.dynamics.max_iterations;
  const KrylovResult solved = solver_.solve(system, step.response.held(), residual_, solution_, options);
  require_finite(step.moment.active, solution_, step.time);
  statistics_.iterations += solved.iterations;
  statistics_.residual = scale > 0 ? solved.relative_residual * left / scale : 0;
}

// Further iterations of Newton's method until the residual is within the tolerance, each with a line search. The
// residual of a step is carried into the next one.
void LatticeStepSolver::iterate_newton(const StepProblem& step, std::span<Vec3> position) {
  const auto measure = [&] { return take_residual(step, position); };
  const double enough = std::max(body_.dynamics.tolerance * first_residual_, step.equations.least_residual());
  double left = measure();
  for (int iteration = 1; iteration < most_newton_iterations && left > enough; ++iteration) {
    step.equations.elasticity().linearize(position);
    solve_linear(step, left);
    left = go_along(step.moment.active, solution_, left, measure, position);
  }
}

int LatticeStepSolver::keep_out_of_obstacles(const StepProblem& step, std::span<Vec3> position) {
  const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) {
    step.inverse.apply(from, to);
  };
  const auto respond = [&](std::span<const double> force) {
    std::copy(force.begin(), force.end(), residual_.begin());
    step.response.held().project(residual_);
    solve_linear(step, length(residual_));
    add_unknowns(step.moment.active, 1, solution_, position);
    if (step.equations.elasticity().nonlinear()) iterate_newton(step, position);
  };
  return step.response.meet_obstacles(step.moment, inverse, respond, body_.dynamics.tolerance, position);
}

// The force on held points is the residual along their rows.
void LatticeStepSolver::take_force_of_hands(const StepProblem& step, std::span<const Vec3> position) {
  step.equations.step_residual(step.moment, position, residual_);
  add_scaled(1, step.response.force(), residual_);
  work_ = residual_;
  step.response.held().project(work_);
  add_scaled(-1, residual_, work_);
  step.response.add_force(work_);
}

}  // namespace sinew
