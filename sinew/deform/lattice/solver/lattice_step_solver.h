// Solves one step of flesh in a lattice: finds the coefficients p_{n+1} that satisfy the equations of motion, with held
// points on their targets and no surface point inside a collider (Capell 2004, sections 4.5 and 4.8;
// docs/lattice_flesh.md, A step).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/solver/lattice_solver.h"
#include "sinew/deform/lattice/solver/nonlinear_step.h"

namespace sinew {

class LatticeStepSolver {
 public:
  // `body` must outlive this.
  explicit LatticeStepSolver(const LatticeBody& body);

  // Moves `position` from the prediction of carry_along() to the end of the step. Throws simulation_error if the
  // solution is not finite.
  StepStatistics solve(const StepProblem& step, std::span<Vec3> position);

 private:
  void solve_linearized(const StepProblem& step, std::span<Vec3> position);
  double take_residual(const StepProblem& step, std::span<const Vec3> position);
  void go_along_free_flight(const StepProblem& step, std::span<Vec3> position);
  void take_to_targets(const StepProblem& step, std::span<Vec3> position);
  void solve_linear(const StepProblem& step, double scale);
  void iterate_newton(const StepProblem& step, std::span<Vec3> position);
  int keep_out_of_obstacles(const StepProblem& step, std::span<Vec3> position);
  void take_force_of_hands(const StepProblem& step, std::span<const Vec3> position);

  const LatticeBody& body_;
  LatticeSolver solver_;
  std::optional<LatticeNonlinearStep> nonlinear_;
  StepStatistics statistics_;
  double first_residual_ = 0;  // reference of the relative tolerance, newtons
  // Per unknown.
  std::vector<double> residual_;  // projected to the subspace of the position constraints
  std::vector<double> solution_, work_;
};

}  // namespace sinew
