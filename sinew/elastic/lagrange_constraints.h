// Constraints at points of a body by Lagrange multipliers with Baumgarte's stabilisation (Capell 2004,
// sections 3.5, 3.6 and 4.5), for where forces of constraint are wanted or constraints should give way softly.
//
// With C_c = sum_i q_i phi_i(x_c) - d_c(t), what the stabilisation asks of each constraint is a damped oscillation,
//
//   C'' + alpha C' + beta C = 0 ,
//
// so the lower right-hand side of (3.14) is -alpha C' - beta C (plus d'' where the target moves). The thesis prints
// -alpha C' - beta C'', which restores nothing: a violated constraint would stay violated. In (4.5), where the unknown
// is the change of velocity, it has to be multiplied by the step besides, and the multiplier is an impulse.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/krylov/minres.h"
#include "sinew/linalg/small.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

struct Baumgarte {
  double alpha = 0;  // 1/s
  double beta = 0;   // 1/s^2
};

// A violated constraint comes back as (1 + t / time) exp(-t / time), without passing its aim; seconds.
inline Baumgarte critically_damped(double time) { return {2 / time, 1 / (time * time)}; }

// The change of C' over a step of `h` seconds, C' dv in the lower row of (4.5), with the oscillation taken at the end
// of the step, C'_1 - C'_0 = -h (alpha C'_1 + beta (C_0 + h C'_1)): stable for any step. With the values at its
// beginning, as printed, it would be so for small h alpha and h^2 beta only. `rate` is C'_0, relative to the target's
// velocity over the coming step.
inline Vec3 baumgarte_change(const Baumgarte& stabilization, const Vec3& violation, const Vec3& rate, double h) {
  const double stiff = h * stabilization.beta, damped = stabilization.alpha + stiff;
  return (violation * stiff + rate * (h * damped)) * (-1 / (1 + h * damped));
}

// [A C^T; C 0] [x; lambda] = [b; c], C_c . x = sum_i phi_i(x_c) x_i, by MINRES, preconditioned by
// diag(M^-1, (C M^-1 C^T)^-1): three iterations where M^-1 is the inverse of A, whatever the constraints.
class LagrangeSystem {
 public:
  // `values` has a row per constraint; `inverse` is M^-1, symmetric positive definite, such as the factor at rest, and
  // is applied three times per constraint here. Constraints that depend on others are no harm as long as they agree;
  // find out with LinearConstraints. Throws simulation_error where `inverse` proves not to be positive definite.
  LagrangeSystem(const SparseRows& values, const LinearOperator& inverse);
  ~LagrangeSystem();
  LagrangeSystem(LagrangeSystem&&) noexcept;
  LagrangeSystem& operator=(LagrangeSystem&&) noexcept;

  // `b` and `x` have three numbers per function, `c` and `multipliers` a vector per constraint; x and multipliers hold
  // the initial guess on entry. The tolerance is that of the whole system, relative to |(b, c)|.
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
