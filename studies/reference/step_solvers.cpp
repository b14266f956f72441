#include "studies/reference/step_solvers.h"

#include <memory>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/linalg/krylov/projected_conjugate_gradients.h"

namespace sinew {

StepSolver unconstrained_solver(LinearOperator preconditioner, const KrylovOptions& options) {
  auto solver = std::make_shared<ConjugateGradients>();
  return [solver, preconditioner = std::move(preconditioner), options](
             const LinearOperator& system, std::span<const double> right, std::span<double> dv) {
    return solver->solve(system, preconditioner, right, dv, options);
  };
}

StepSolver projected_solver(const LinearConstraints& constraints, const std::vector<Vec3>& a,
                            LinearOperator preconditioner, const KrylovOptions& options) {
  auto solver = std::make_shared<ProjectedConjugateGradients>();
  return [solver, &constraints, &a, preconditioner = std::move(preconditioner), options](
             const LinearOperator& system, std::span<const double> right, std::span<double> dv) {
    constraints.meet(a, dv);
    return solver->solve(system, preconditioner, constraints.projection(), right, dv, options);
  };
}

StepSolver lagrange_solver(LagrangeSystem& system, const std::vector<Vec3>& change, std::vector<Vec3>& multipliers,
                           const KrylovOptions& options) {
  return [&system, &change, &multipliers, options](const LinearOperator& matrix, std::span<const double> right,
                                                   std::span<double> dv) {
    return system.solve(matrix, right, change, dv, multipliers, options);
  };
}

std::vector<Vec3> velocity_changes(std::span<const Vec3> points, std::span<const Vec3> velocities,
                                   std::span<const Vec3> targets_after, double h) {
  if (points.size() != velocities.size() || points.size() != targets_after.size())
    throw usage_error("there are " + std::to_string(points.size()) + " constrained points, but " +
                      std::to_string(velocities.size()) + " velocities and " + std::to_string(targets_after.size()) +
                      " targets; give one of each per point.");
  std::vector<Vec3> a;
  for (std::size_t c = 0; c < points.size(); ++c) a.push_back((targets_after[c] - points[c]) / h - velocities[c]);
  return a;
}

}  // namespace sinew
