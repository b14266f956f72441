// The implicit step of Capell (2004), section 4.5, after Baraff and Witkin (1998): implicit Euler by one or more Newton
// iterations, for any force.
//
//   M dv = h F(q_0 + h (v_0 + dv), v_0 + dv)                                                      (4.5)
//   (M - h dF/dv - h^2 dF/dq) dv = h (F_0 + h dF/dq v_0)                                          (4.7), one iteration
//   v <- v + dv,  q <- q + h v
//
// The thesis prints F = mu q' - Q^g - dU/dq. From the equations of motion (3.5), M q'' + dU/dq + mu q' = Q, it is
//
//   F = Q^g - mu q' - dU/dq ,
//
// as in (3.14): as printed, friction would accelerate and weight would act upwards.
#pragma once

#include <functional>
#include <span>

#include "sinew/linalg/krylov/krylov.h"

namespace sinew {

// All vectors have three numbers per function.
struct ImplicitForces {
  // F(q, v), newtons, without constraint forces.
  std::function<void(std::span<const double> q, std::span<const double> v, std::span<double> force)> force;
  // Called before products at a new state; may be empty where the derivatives are constant.
  std::function<void(std::span<const double> q, std::span<const double> v)> linearize;
  LinearOperator stiffness;  // x -> -dF/dq x, N/m times x
  LinearOperator damping;    // x -> -dF/dv x, or empty
};

// Solves system . dv = right for the whole change of velocity; dv holds a guess on entry. Where constraints prescribe
// parts of dv, the solver must enforce them (studies/reference/step_solvers.h).
using StepSolver =
    std::function<KrylovResult(const LinearOperator& system, std::span<const double> right, std::span<double> dv)>;

struct ImplicitStepOptions {
  int iterations = 1;       // limit of Newton iterations
  double tolerance = 1e-8;  // stop where an iteration changes dv by less than this fraction
};

struct ImplicitStepResult {
  int iterations = 0;  // number of Newton iterations
  int products = 0;    // iterations of the linear solver, total
  double change = 0;   // fraction of dv that the last iteration changed; 1 after the first
};

// Advances q (metres) and v (metres per second) by `h` seconds. Throws usage_error for vectors of different lengths or
// a step that is not positive, simulation_error where a number is not finite or the solver did not converge; q and v
// are then unchanged.
ImplicitStepResult implicit_step(const LinearOperator& mass, const ImplicitForces& forces, const StepSolver& solver,
                                 double h, std::span<double> q, std::span<double> v,
                                 const ImplicitStepOptions& options = {});

}  // namespace sinew
