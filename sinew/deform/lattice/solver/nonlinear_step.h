// Solves a step of true elasticity in a lattice, and its static equilibrium, by the quasi-Newton iterations of
// deform/flesh/quasi_newton_step.h. The inverse Hessian is the preconditioner of the linear step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/lattice/solver/step_problem.h"

namespace sinew {

class LatticeNonlinearStep {
 public:
  // `body` must outlive this and have run.nonlinear.
  explicit LatticeNonlinearStep(const LatticeBody& body);

  // Moves `position` from the prediction of carry_along() to the end of the step: held points are near their targets
  // and no surface point is inside a collider. Throws simulation_error if the solution is not finite.
  StepStatistics solve(const StepProblem& step, std::span<Vec3> position);

 private:
  void fly_on(const StepProblem& step, std::span<const Vec3> position);
  void meet_targets(const StepProblem& step, const LinearOperator& inverse, std::span<const Vec3> position);
  double motion(const ActiveFunctions& active, std::span<const double> u);

  const LatticeBody& body_;
  std::optional<QuasiNewtonStep> iterations_;
  std::size_t numbers_ = 0;         // that iterations_ is for
  double least_energy_ = 0;         // joules: corrections below it are negligible
  std::vector<Vec3> moved_;         // per function: displacement; zero where not an unknown
  std::vector<double> u_, change_;  // 3 numbers per unknown: displacement from the prediction, world, metres
};

// Solves for static equilibrium as find_equilibrium() does.
StepStatistics find_nonlinear_equilibrium(const TissueStep& how, LatticeEquations& equations,
                                          LatticePreconditioner& static_inverse, const ActiveFunctions& active,
                                          const LatticePose& pose, double time, std::span<Vec3> position);

}  // namespace sinew
