// Solvers for the linear system of an implicit step, for different constraints.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/lagrange_constraints.h"
#include "sinew/elastic/linear_constraints.h"
#include "studies/reference/implicit_step.h"

namespace sinew {

// Conjugate gradients without constraints; `preconditioner` may be empty.
StepSolver unconstrained_solver(LinearOperator preconditioner, const KrylovOptions& options = {});

// Conjugate gradients within the subspace of the constraints: dv meets them to rounding (section 4.8). Both arguments
// must outlive the solver; `a` is read at each solution.
StepSolver projected_solver(const LinearConstraints& constraints, const std::vector<Vec3>& a,
                            LinearOperator preconditioner, const KrylovOptions& options = {});

// Lagrange multipliers, by MINRES (4.5). `change` is the change of each constraint's rate over the step
// (baumgarte_change); `multipliers` receives the constraint impulses, newton seconds. All are read and written at each
// solution, and must outlive the solver.
StepSolver lagrange_solver(LagrangeSystem& system, const std::vector<Vec3>& change, std::vector<Vec3>& multipliers,
                           const KrylovOptions& options = {});

// The right-hand side of (4.9): the change of velocity at each point that moves it from its current position to its
// target's after the step, (d_c(t + h) - d_c) / h - v_c, all in world space, metres and seconds. Here d_c is the
// point's own position at the beginning of the step. (With the target's position, as printed, errors by rounding and
// late constraints would never be corrected.)
std::vector<Vec3> velocity_changes(std::span<const Vec3> points, std::span<const Vec3> velocities,
                                   std::span<const Vec3> targets_after, double h);

}  // namespace sinew
