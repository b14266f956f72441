// How the linear system of an implicit step is solved, by what holds the body.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/lagrange_constraints.h"
#include "sinew/elastic/linear_constraints.h"
#include "studies/reference/implicit_step.h"

namespace sinew {

// Conjugate gradients; `preconditioner` may be empty.
StepSolver unconstrained_solver(LinearOperator preconditioner, const KrylovOptions& options = {});

// The same within the subspace of the constraints: dv meets them to rounding (section 4.8). Both arguments must outlive
// the solver; `a` is read at each solution.
StepSolver projected_solver(const LinearConstraints& constraints, const std::vector<Vec3>& a,
                            LinearOperator preconditioner, const KrylovOptions& options = {});

// With Lagrange multipliers, by MINRES (4.5). `change` is the change of each constraint's rate over the step
// (baumgarte_change), `multipliers` receives the impulses of constraint, newton seconds; all are read and written at
// each solution, and must outlive the solver.
StepSolver lagrange_solver(LagrangeSystem& system, const std::vector<Vec3>& change, std::vector<Vec3>& multipliers,
                           const KrylovOptions& options = {});

// The right-hand side of (4.9): the change of velocity at each point that takes it from where it is to where its target
// will be after the step, (d_c(t + h) - d_c) / h - v_c, all in world space, metres and seconds. With d_c the target's
// own place at the beginning, as printed, rounding and late constraints would never be made good; it is the point's
// here.
std::vector<Vec3> velocity_changes(std::span<const Vec3> points, std::span<const Vec3> velocities,
                                   std::span<const Vec3> targets_after, double h);

}  // namespace sinew
