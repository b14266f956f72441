// Constraints at points of a body by Lagrange multipliers with Baumgarte's stabilisation (Capell 2004, sections 3.5,
// 3.6 and 4.5), for use where constraint forces are needed or constraints should be soft.
//
// With C_c = sum_i q_i phi_i(x_c) - d_c(t), the stabilisation makes each constraint a damped oscillator,
//
//   C'' + alpha C' + beta C = 0 ,
//
// so the lower right-hand side of (3.14) is -alpha C' - beta C (plus d'' where the target moves). The thesis prints
// -alpha C' - beta C'', which would leave a violated constraint violated. In (4.5), where the unknown is the change of
// velocity, this must also be multiplied by the step, and the multiplier is an impulse.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/krylov/minres.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// Coefficients of that oscillator.
struct Baumgarte {
  double alpha = 0;  // 1/s
  double beta = 0;   // 1/s^2
};

// Critical damping: a violation decays as (1 + t / time) exp(-t / time), without overshoot. `time` in seconds.
inline Baumgarte critically_damped(double time) { return {2 / time, 1 / (time * time)}; }

// Change of C' over a step of `h` seconds, C' dv in the lower row of (4.5), with the oscillator evaluated at the end of
// the step, C'_1 - C'_0 = -h (alpha C'_1 + beta (C_0 + h C'_1)): stable for any step. (Evaluated at the beginning, as
// printed, it would be stable only for small h alpha and h^2 beta.) `rate` is C'_0, relative to the target's velocity
// over the coming step.
inline Vec3 baumgarte_change(const Baumgarte& stabilization, const Vec3& violation, const Vec3& rate, double h) {
  const double stiff = h * stabilization.beta, damped = stabilization.alpha + stiff;
  return (violation * stiff + rate * (h * damped)) * (-1 / (1 + h * damped));
}

// Solves [A C^T; C 0] [x; lambda] = [b; c], C_c . x = sum_i phi_i(x_c) x_i, by MINRES with the preconditioner
// diag(M^-1, (C M^-1 C^T)^-1): three iterations for any constraints if M^-1 is the inverse of A.
class LagrangeSystem {
 public:
  // `values` has a row per constraint. `inverse` is M^-1, symmetric positive definite, such as the factor at rest; the
  // constructor applies it three times per constraint. Redundant constraints are allowed if they are consistent, which
  // LinearConstraints can check. Throws simulation_error where `inverse` proves not to be positive definite.
  LagrangeSystem(const SparseRows& values, const LinearOperator& inverse);
  ~LagrangeSystem();
  LagrangeSystem(LagrangeSystem&&) noexcept;
  LagrangeSystem& operator=(LagrangeSystem&&) noexcept;

  // `b` and `x` have three numbers per function, `c` and `multipliers` a vector per constraint; x and multipliers hold
  // the initial guess on entry. The tolerance applies to the whole system, relative to |(b, c)|.
  KrylovResult solve(const LinearOperator& matrix, std::span<const double> b, std::span<const Vec3> c,
                     std::span<double> x, std::span<Vec3> multipliers, const KrylovOptions& options = {});

 private:
  struct Preconditioner;
  SparseRows values_, transposed_;
  std::unique_ptr<Preconditioner> preconditioner_;
  Minres minres_;
  std::vector<double> right_, unknown_, reaction_;
};

}  // namespace sinew
